// The subjects of the Node.js adapter: one shim each. To add a library, add a shim and its entry in adapter.toml.
import { serve } from './kit.mjs';
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

serve({
  json: () => ({ identity, read: (bytes) => JSON.parse(strict(bytes)), write: JSON.stringify }),
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
  async secure_json_parse() {
    const loaded = await load('secure-json-parse'), parse = loaded.module.parse;
    return { identity: [...loaded.identity, ...identity], read: (bytes) => parse(bytes) };
  },
  async jsonc_parser(options) {
    const { module, identity } = await load('jsonc-parser'), given = set(options);
    return {
      identity,
      read(bytes) { // it always returns something: the list of errors is how it says no
        const errors = [], value = module.parse(strict(bytes), errors, given);
        if (errors.length === 0) return value;
        const { error, offset } = errors[0];
        const said = module.printParseErrorCode?.(error) ?? `error ${error}`;
        throw Object.assign(new Error(`${said} at offset ${offset}`), { name: 'ParseError' });
      },
    };
  },
});
