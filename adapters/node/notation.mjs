// The notation of a value (docs/design.md), for values of JavaScript.
const unit = (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0');
const quote = (s) => (/[^ !#-[\]-~]/.test(s) ? JSON.stringify(s).replace(/[^ -~]/g, unit) : `"${s}"`);
const spelledLikeAnInteger = (v) => v % 1 === 0 && v > -1e21 && v < 1e21;
function kind(v) { // a class's prototype has a constructor of its own; one that came from a document cannot
  if (typeof v !== 'object') return String(v?.constructor?.name ?? typeof v);
  const maker = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(v), 'constructor')?.value;
  return typeof maker === 'function' ? maker.name : 'Object:prototype replaced';
}
function leaf(v, spell) {
  if (typeof v === 'string') return quote(v);
  if (typeof v === 'number') return Object.is(v, -0) ? '-0.0' : spelledLikeAnInteger(v) ? v + '.0' : String(v);
  if (v === null || typeof v === 'boolean' || typeof v === 'bigint') return String(v);
  return spell?.(v) ?? 'X' + quote(kind(v));
}
// An object by its names and their values, in order: a plain one would move names like `1` to the front.
export class Members { constructor(names) { Object.assign(this, { names, values: [] }); } }
function names(v) { // of a plain object; null for an array, undefined for anything else
  if (typeof v !== 'object' || v === null) return undefined;
  if (Array.isArray(v) || v instanceof Members) return v.names ?? null; // an array has no names
  const prototype = Object.getPrototypeOf(v);
  return prototype === Object.prototype || prototype === null ? Object.keys(v) : undefined;
}
// `spell` gives the notation of a library's own number, undefined for what it does not know.
export function render(root, spell) { // iterative: as fast as recursion, at any depth
  const out = [], stack = [];
  const open = (v) => {
    const keys = names(v);
    if (keys === undefined) return out.push(leaf(v, spell));
    stack.push({ v, keys, at: 0 });
    return out.push(keys ? '{' : '[');
  };
  for (open(root); stack.length;) {
    const top = stack[stack.length - 1], { v, keys, at } = top;
    if (at === (keys ?? v).length) { out.push(keys ? '}' : ']'); stack.pop(); continue; }
    if (top.at++) out.push(',');
    if (keys) out.push(quote(keys[at]), ':');
    open(!keys ? v[at] : v instanceof Members ? v.values[at] : v[keys[at]]);
  }
  return out.length === 1 ? out[0] : out.join('');
}
