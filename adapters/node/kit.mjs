// The kit of the Node.js adapter: notation, frames and the loop of ../PROTOCOL.md.
import fs from 'node:fs';

const unit = (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0');
const quote = (s) => (/[^ !#-[\]-~]/.test(s) ? JSON.stringify(s).replace(/[^ -~]/g, unit) : `"${s}"`);
const spelledLikeAnInteger = (v) => v % 1 === 0 && v > -1e21 && v < 1e21;
function leaf(v) {
  if (typeof v === 'string') return quote(v);
  if (typeof v === 'number') return Object.is(v, -0) ? '-0.0' : spelledLikeAnInteger(v) ? v + '.0' : String(v);
  if (v === null || typeof v === 'boolean' || typeof v === 'bigint') return String(v);
  return 'X' + quote(String(v?.constructor?.name ?? typeof v));
}
function names(v) { // of a plain object; null for an array, undefined for anything else
  if (typeof v !== 'object' || v === null) return undefined;
  if (Array.isArray(v)) return null;
  const prototype = Object.getPrototypeOf(v);
  return prototype === Object.prototype || prototype === null ? Object.keys(v) : undefined;
}
export function render(root) { // iterative: as fast as recursion, at any depth
  const out = [], stack = [];
  const open = (v) => {
    const keys = names(v);
    if (keys === undefined) return out.push(leaf(v));
    stack.push({ v, keys, at: 0 });
    return out.push(keys ? '{' : '[');
  };
  for (open(root); stack.length;) {
    const top = stack[stack.length - 1], { v, keys, at } = top;
    if (at === (keys ?? v).length) { out.push(keys ? '}' : ']'); stack.pop(); continue; }
    if (top.at++) out.push(',');
    if (keys) out.push(quote(keys[at]), ':');
    open(keys ? v[keys[at]] : v[at]);
  }
  return out.length === 1 ? out[0] : out.join('');
}

let out = 1;
function moveStdout() { // afterwards file descriptor 1 is standard error
  try { out = fs.openSync('/dev/fd/1', fs.constants.O_WRONLY); } catch { return; } // not a pipe
  fs.closeSync(1);
  fs.openSync('/dev/fd/2', fs.constants.O_WRONLY);
}
function patient(call) { // a pipe may have been made non-blocking
  for (;;) {
    try { return call(); } catch (e) { if (e.code !== 'EAGAIN') throw e; }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
}
function take(size) { // exactly `size` bytes; the end of input means bye
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0, got; at < size; at += got) {
    got = patient(() => fs.readSync(0, bytes, at, size - at));
    if (got === 0) process.exit(0);
  }
  return bytes;
}
function put(text) { // Latin-1: one character a byte
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length;) at += patient(() => fs.writeSync(out, bytes, at));
}

const stages = new Map();
let shim = null;
function hello(text, shims) {
  const lines = text.split('\n').map((l) => [l.split(' ', 1)[0], l.slice(l.indexOf(' ') + 1)]);
  const get = (key) => lines.filter((l) => l[0] === key).map((l) => l[1]);
  if (get('protocol')[0] !== '1') return ['fault', 'ProtocolMismatch this kit speaks protocol 1'];
  shim = shims[get('shim')[0]];
  if (!shim) return ['fault', 'UnknownShim this adapter has no such shim'];
  for (const error of get('rejects')) stages.set(error, 'parse');
  for (const error of get('rejects-decode')) stages.set(error, 'decode');
  return ['ready', ['protocol 1', `runtime Node.js ${process.versions.node}`, ...shim.identity,
    'capability parse', 'capability emit', ''].join('\n')];
}
function answer([verb, sequence], body, shims) {
  let said = ['unsupported', `no ${verb}`];
  try {
    if (verb === 'hello') said = hello(body.toString(), shims);
    else if (verb === 'parse' && shim) said = ['accept', render(shim.read(body))];
    else if (verb === 'emit' && shim) said = ['accept', Buffer.from(shim.write(shim.read(body))).toString('latin1')];
  } catch (e) {
    const error = e?.code ?? e?.name ?? 'Error', stage = stages.get(error);
    const message = `${error} ${e?.message ?? e}`.replace(/[^ -~]/g, '?').slice(0, 280);
    said = stage ? ['reject', `${stage} ${message}`] : ['fault', message];
  }
  return `${said[0]} ${sequence} ${said[1].length}\n${said[1]}\n`;
}
export function serve(shims) {
  for (moveStdout(); ;) {
    let head = take(8).toString('latin1'); // no header is shorter
    while (!head.endsWith('\n')) head += take(1).toString('latin1');
    const frame = head.split(' '), body = take(Number(frame[2]) + 1).subarray(0, -1);
    if (frame[0] === 'bye') return;
    let text = '';
    if (frame[0] !== 'batch') text = answer(frame, body, shims);
    else for (let at = 0; at < body.length;) {
      const line = body.indexOf(10, at), inner = body.latin1Slice(at, line).split(' ');
      at = line + 2 + Number(inner[2]);
      text += answer(inner, body.subarray(line + 1, at - 1), shims);
    }
    put(text);
  }
}
