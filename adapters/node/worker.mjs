// The subjects of the Node.js adapter: one shim each. To add a library, add a shim and its entry in adapter.toml.
import { serve } from './kit.mjs';

// ignoreBOM keeps a byte order mark in the text: the parser sees it and judges it.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const identity = [`library V8 ${process.versions.v8}`];

serve({
  json: { identity, read: (bytes) => JSON.parse(strict.decode(bytes)), write: JSON.stringify },
  json_lossy: { identity, read: (bytes) => JSON.parse(bytes.toString('utf8')), write: JSON.stringify },
});
