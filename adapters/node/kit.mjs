// The kit of the Node.js adapter: frames and the loop of ../PROTOCOL.md.
import fs from 'node:fs';
import { render } from './notation.mjs';

let out = 1;
export function moveStdout() { // afterwards file descriptor 1 is standard error
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
export function take(size) { // exactly `size` bytes; the end of input means bye
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0, got; at < size; at += got) {
    got = patient(() => fs.readSync(0, bytes, at, size - at));
    if (got === 0) process.exit(0);
  }
  return bytes;
}
export function put(text) { // Latin-1: one character a byte
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length;) at += patient(() => fs.writeSync(out, bytes, at));
}

const stages = new Map();
let shim = null;
async function hello(text, shims) {
  const lines = text.split('\n').map((l) => [l.split(' ', 1)[0], l.slice(l.indexOf(' ') + 1)]);
  const get = (key) => lines.filter((l) => l[0] === key).map((l) => l[1]);
  if (get('protocol')[0] !== '1') return ['fault', 'ProtocolMismatch this kit speaks protocol 1'];
  const make = shims[get('shim')[0]];
  if (!make) return ['fault', 'UnknownShim this adapter has no such shim'];
  try {
    shim = await make(Object.fromEntries(get('option').map((o) => o.split(/=(.*)/s, 2))));
  } catch (e) { return failure(e); }
  for (const error of get('rejects')) stages.set(error, 'parse');
  for (const error of get('rejects-decode')) stages.set(error, 'decode');
  for (const error of get('rejects-bind')) stages.set(error, 'bind');
  return ['ready', ['protocol 1', `runtime Node.js ${process.versions.node}`, ...shim.identity,
    'capability parse', ...(shim.write ? ['capability emit'] : []), ''].join('\n')];
}
function failure(e) {
  const error = e?.code ?? e?.name ?? 'Error', stage = stages.get(error);
  const message = `${error} ${e?.message ?? e}`.replace(/[^ -~]/g, '?').slice(0, 280);
  return stage ? ['reject', `${stage} ${message}`] : ['fault', message];
}
function ask(verb, body) {
  if (verb === 'parse' && shim) return ['accept', render(shim.read(body), shim.spell)];
  if (verb !== 'emit' || !shim?.write) return ['unsupported', `no ${verb}`];
  return ['accept', Buffer.from(shim.write(shim.read(body))).toString('latin1')];
}
function answer([verb, sequence], body, said) {
  try { said ??= ask(verb, body); } catch (e) { said = failure(e); }
  return `${said[0]} ${sequence} ${said[1].length}\n${said[1]}\n`;
}
// `shims`: by name, a function of the options that gives (or promises) { identity, read, write?, spell? }.
export async function serve(shims) {
  for (moveStdout(); ;) {
    let head = take(8).toString('latin1'); // no header is shorter
    while (!head.endsWith('\n')) head += take(1).toString('latin1');
    const frame = head.split(' '), body = take(Number(frame[2]) + 1).subarray(0, -1);
    if (frame[0] === 'bye') return;
    let text = '';
    if (frame[0] === 'hello') text = answer(frame, body, await hello(body.toString(), shims));
    else if (frame[0] !== 'batch') text = answer(frame, body);
    else for (let at = 0; at < body.length;) {
      const line = body.indexOf(10, at), inner = body.latin1Slice(at, line).split(' ');
      at = line + 2 + Number(inner[2]);
      text += answer(inner, body.subarray(line + 1, at - 1));
    }
    put(text);
  }
}
