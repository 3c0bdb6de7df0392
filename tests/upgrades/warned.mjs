// node warned.mjs ADAPTER HOME CODE: runs CODE in the CRuby as WebAssembly of an environment; it speaks on stderr.
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';

const [, , adapter, home, code] = process.argv;
const { load, Ruby } = await import(pathToFileURL(`${adapter}/wasm/vm.mjs`));
const ruby = await Ruby.boot(await load(home), fs.readFileSync(`${adapter}/shim.rb`, 'utf8'));
ruby.run(code);
