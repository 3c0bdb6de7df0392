// The Ruby adapter on CRuby as WebAssembly: frames on stdin and stdout (../../PROTOCOL.md), answers from
// ../shim.rb, which stands in the snapshot. Arguments: the environment, the memory limit in MiB.
import fs from 'node:fs';
import v8 from 'node:v8';
import { load, moduleFile, Ruby, snapshotFile } from './vm.mjs';

const STEP = 'STDOUT.syswrite($whichwins.batch(STDIN.sysread($bytes)))';

const [home, memory] = process.argv.slice(2);
v8.setFlagsFromString('--liftoff-only'); // optimising Ruby's interpreter costs more than a corpus gives back
if (memory) v8.setFlagsFromString(`--wasm-max-mem-pages=${Number(memory) * 16}`);
const out = moveStdout();
const shared = await load(home);
const booted = fs.readFileSync(snapshotFile(home));
let hello = null;
let ruby = await start();

async function start() {
  const fresh = await Ruby.restore(shared, booted);
  fresh.run(`$whichwins.extra << ${JSON.stringify(`file ${moduleFile(home)}`).replaceAll('#', '\\#')}`);
  if (hello) ask(fresh, hello);
  return fresh;
}
function ask(vm, frames) {
  return vm.step(STEP.replace('$bytes', frames.length), frames);
}
// A VM that trapped is thrown away, with all it holds; the frame that did it has no verdict.
async function answers(frames) {
  const list = [...split(frames)];
  try { return [ask(ruby, frames)]; } catch { ruby = await start(); }
  const said = [];
  for (const { sequence, frame } of list) {
    try { said.push(ask(ruby, frame)); } catch (e) {
      ruby = await start();
      const reason = `the WebAssembly host ended Ruby: ${e?.name} ${e?.message}`.replace(/[^ -~]/g, '?').slice(0, 280);
      said.push(Buffer.from(`unsupported ${sequence} ${reason.length}\n${reason}\n`));
    }
  }
  return said;
}
function* split(frames) {
  for (let at = 0; at < frames.length;) {
    const line = frames.indexOf(10, at), [, sequence, length] = frames.latin1Slice(at, line).split(' ');
    const end = line + 2 + Number(length);
    yield { sequence, frame: frames.subarray(at, end) };
    at = end;
  }
}

function moveStdout() { // afterwards file descriptor 1 is standard error
  let moved;
  try { moved = fs.openSync('/dev/fd/1', fs.constants.O_WRONLY); } catch { return 1; } // not a pipe
  fs.closeSync(1);
  fs.openSync('/dev/fd/2', fs.constants.O_WRONLY);
  return moved;
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
function put(bytes) {
  for (let at = 0; at < bytes.length;) at += patient(() => fs.writeSync(out, bytes, at));
}

for (;;) {
  let head = take(8).toString('latin1'); // no header is shorter
  while (!head.endsWith('\n')) head += take(1).toString('latin1');
  const [verb, , length] = head.split(' ');
  const rest = take(Number(length) + 1);
  if (verb === 'bye') break;
  const frames = verb === 'batch' ? rest.subarray(0, -1) : Buffer.concat([Buffer.from(head, 'latin1'), rest]);
  if (verb === 'hello') hello = frames;
  put(Buffer.concat(await answers(frames)));
}
