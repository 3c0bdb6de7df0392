// The subjects of the Node.js adapter: one shim each. To add a library, add a shim and its entry in adapter.toml.
import { pathToFileURL } from 'node:url';
import { serve } from './kit.mjs';
import { Members } from './notation.mjs';
import { load } from './packages.mjs';

// ignoreBOM keeps a byte order mark in the text: the parser sees it and judges it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const strict = (bytes) => decoder.decode(bytes);
const identity = [`library V8 ${process.versions.v8}`];
const set = (options) => Object.fromEntries(Object.entries(options)
  .map(([name, text]) => [name, { true: true, false: false }[text] ?? text]));
// Exactly this class: an object whose prototype the document has replaced inherits what makes one.
const isA = (v, { prototype }) => Object.getPrototypeOf(v) === prototype;

async function lossless(onDuplicateKey) {
  const { module, identity } = await load('lossless-json');
  const options = onDuplicateKey && { onDuplicateKey };
  return {
    identity,
    read: (bytes) => module.parse(strict(bytes), undefined, options),
    write: (value) => module.stringify(value),
    spell: (v) => (isA(v, module.LosslessNumber) ? `D${v}` : undefined),
  };
}

class Source { // the text of a number: a wrapper that no document can make
  constructor(text) { this.text = text; }
}
function said(errors, { printParseErrorCode }) { // jsonc-parser always returns something: errors are its no
  if (errors.length === 0) return;
  const { error, offset } = errors[0], word = printParseErrorCode?.(error) ?? `error ${error}`;
  throw Object.assign(new Error(`${word} at offset ${offset}`), { name: 'ParseError' });
}
// Every member of a jsonc-parser tree as findNodeAtLocation finds it by its name; elements are no lookups.
function foundByName(root, find) {
  const holder = [], todo = [[root, holder]];
  for (let next; (next = todo.pop());) {
    const [node, into] = next;
    if (node.type === 'array') {
      const items = [];
      into.push(items);
      // One holder an element, since what is nested is filled in later.
      for (const child of node.children) todo.push([child, hold(items)]);
    } else if (node.type === 'object') {
      const members = new Members([...new Set(node.children.map((each) => each.children[0].value))]);
      into.push(members);
      for (const name of members.names) todo.push([find(node, [name]), hold(members.values)]);
    } else into.push(node.value);
  }
  return holder[0];
}
function hold(list) { // keeps the next place of `list` for what is pushed
  const at = list.push(undefined) - 1;
  return { push(value) { list[at] = value; } };
}

serve({
  json: () => ({ identity, read: (bytes) => JSON.parse(strict(bytes)), write: JSON.stringify }),
  json_source() {
    const keep = (name, value, { source }) => (typeof value === 'number' ? new Source(source) : value);
    return {
      identity,
      read: (bytes) => JSON.parse(strict(bytes), keep),
      spell: (v) => (v instanceof Source ? `D${v.text}` : undefined),
    };
  },
  json_lossy: () => ({ identity, read: (bytes) => JSON.parse(bytes.toString('utf8')), write: JSON.stringify }),

  async json5() {
    const { module, identity } = await load('json5'), JSON5 = module.default ?? module;
    return { identity, read: (bytes) => JSON5.parse(strict(bytes)), write: (value) => JSON5.stringify(value) };
  },
  lossless_json: () => lossless(),
  lossless_json_first: () => lossless(({ oldValue }) => oldValue),
  lossless_json_last: () => lossless(({ newValue }) => newValue),

  async json_bigint(options) {
    const { module, identity, require } = await load('json-bigint');
    const own = module(set(options)), number = require('bignumber.js'), BigNumber = number.BigNumber ?? number;
    return {
      identity,
      read: (bytes) => own.parse(strict(bytes)),
      write: (value) => own.stringify(value),
      spell: (v) => (isA(v, BigNumber) ? `D${v.valueOf()}` : undefined), // valueOf keeps the sign of zero
    };
  },
  async secure_json_parse(options) {
    const loaded = await load('secure-json-parse'), { parse } = loaded.module;
    const given = Object.keys(options).length ? [undefined, options] : [];
    return { identity: [...loaded.identity, ...identity], read: (bytes) => parse(bytes, ...given) };
  },
  async bourne(options) {
    const loaded = await load('@hapi/bourne'), given = Object.keys(options).length ? [options] : [];
    const { parse } = loaded.module;
    return { identity: [...loaded.identity, ...identity], read: (bytes) => parse(strict(bytes), ...given) };
  },
  async destr() {
    const loaded = await load('destr'), destr = loaded.module.destr ?? loaded.module.default;
    return {
      identity: [...loaded.identity, ...identity],
      read(bytes) { // what it cannot parse it gives back; no text of JSON is the string that it says
        const text = strict(bytes), value = destr(text);
        if (value !== text) return value;
        throw Object.assign(new Error('gave the text itself back'), { name: 'NotParsed' });
      },
    };
  },
  async destr_safe() {
    const loaded = await load('destr'), { safeDestr } = loaded.module;
    return { identity: [...loaded.identity, ...identity], read: (bytes) => safeDestr(strict(bytes)) };
  },
  async stream_json() {
    const { identity, require } = await load('stream-json');
    const take = (name) => import(pathToFileURL(require.resolve(name)));
    const { jsonParser } = await take('stream-json/core/parser.js');
    const { Assembler } = await take('stream-json/core/assembler.js');
    const { fixUtf8Stream, whenReady } = await take('stream-chain/utils/fixUtf8Stream.js');
    const { none, getManyValues, isMany } = await take('stream-chain/core');
    await whenReady(); // it takes another decoder once that has been loaded
    const tokens = (made) => (isMany(made) ? getManyValues(made) : made === none ? [] : [made]);
    return {
      identity,
      read(bytes) { // the steps of parser() without their asynchronous pipe, the whole text in one piece
        const decode = fixUtf8Stream(), parse = jsonParser(), own = new Assembler();
        try {
          for (const each of [decode(bytes), decode(none)]) {
            for (const token of tokens(parse(each))) own.consume(token);
          }
          for (const token of tokens(parse(none))) own.consume(token);
        } catch (e) { // it has plain errors only; those of the engine have classes of their own
          if (e.name === 'Error' && e.message.startsWith('Parser ')) e.name = 'ParserError';
          throw e;
        }
        return own.current;
      },
    };
  },
  async jsonc_parser(options) {
    const { module, identity } = await load('jsonc-parser'), given = set(options);
    return {
      identity,
      read(bytes) {
        const errors = [], value = module.parse(strict(bytes), errors, given);
        said(errors, module);
        return value;
      },
    };
  },
  async jsonc_parser_find() {
    const { module, identity } = await load('jsonc-parser');
    return {
      identity,
      read(bytes) {
        const errors = [], root = module.parseTree(strict(bytes), errors);
        said(errors, module);
        return foundByName(root, module.findNodeAtLocation);
      },
    };
  },
});
