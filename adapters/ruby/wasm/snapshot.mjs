// Completes an environment: node snapshot.mjs HOME writes the snapshot of Ruby booted with ../shim.rb.
import fs from 'node:fs';
import { load, snapshot, snapshotFile } from './vm.mjs';

const home = process.argv[2];
const source = fs.readFileSync(new URL('../shim.rb', import.meta.url), 'utf8');
fs.writeFileSync(snapshotFile(home), await snapshot(await load(home), source));
