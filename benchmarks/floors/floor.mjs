// The floor of a Node.js subject: see floor.py.
import fs from 'node:fs';

const [key, path] = process.argv.slice(2);
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const parse = {
  'node/json': (bytes) => JSON.parse(strict.decode(bytes)),
  'node/json-lossy': (bytes) => JSON.parse(bytes.toString('utf8')),
}[key];
const blob = fs.readFileSync(path), texts = [];
for (let at = 0; at < blob.length;) {
  const end = at + 4 + blob.readUInt32LE(at);
  texts.push(blob.subarray(at + 4, end));
  at = end;
}
const start = process.cpuUsage();
for (const bytes of texts) try { parse(bytes); } catch { /* refused */ }
const { user, system } = process.cpuUsage(start);
console.log((user + system) / 1e6);
