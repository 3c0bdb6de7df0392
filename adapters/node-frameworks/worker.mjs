// Frameworks and SDKs of Node.js as their handlers and tools see them: speaks ../PROTOCOL.md, `parse` and `deliver`.
import { moveStdout, put, take } from '../node/kit.mjs';
import { Bench, Unsupported } from './bench.mjs';
import { shims } from './shims.mjs';

const clean = (text, most = 280) => String(text).replace(/[^ -~]/g, '?').slice(0, most);
const stages = new Map();
let bench = null, shim = null;

async function hello(text) {
  const lines = text.split('\n').map((l) => [l.split(' ', 1)[0], l.slice(l.indexOf(' ') + 1)]);
  const get = (key) => lines.filter((l) => l[0] === key).map((l) => l[1]);
  if (get('protocol')[0] !== '1') return ['fault', 'ProtocolMismatch this worker speaks protocol 1'];
  const make = shims[get('shim')[0]];
  if (!make) return ['fault', 'UnknownShim this adapter has no such shim'];
  for (const error of get('rejects')) stages.set(error, 'parse');
  for (const error of get('rejects-decode')) stages.set(error, 'decode');
  try {
    const options = get('option').map((o) => o.split(/=(.*)/s, 2)).map(([k, v]) => [k, decodeURIComponent(v)]);
    bench = new Bench(Object.fromEntries(options));
    shim = await make(bench);
  } catch (e) { return ['fault', clean(`${e?.name ?? 'Error'} ${e?.message ?? e}`)]; }
  return ['ready', ['protocol 1', `runtime Node.js ${process.versions.node}`,
    ...bench.identity, `library V8 ${process.versions.v8}`, 'capability parse', 'capability deliver', ''].join('\n')];
}

async function run(headers, raw) {
  const request = bench.open(headers, raw);
  try { await shim(request); } catch (e) {
    if (e instanceof Unsupported) request.end('unsupported', '', e.message);
    else request.raised(e);
  }
  return request;
}

// What the handler received, as a parser answers: the last of its executions, else how it said no.
async function parse(raw) {
  const request = await run([], raw);
  if (request.executions.length) return ['accept', request.executions.at(-1)];
  if (request.passed === 'unsupported') return ['unsupported', clean(request.reason)];
  const { error, signal } = request;
  const own = signal.startsWith('http 4') || error === null; // the framework's own word, else the error's name
  const name = (own ? signal : error?.code ?? error?.name ?? 'Error').replaceAll(' ', '-') || 'Nothing';
  const stage = stages.get(name), message = clean(`${name} ${own ? '' : error?.message ?? error}`);
  return stage ? ['reject', `${stage} ${message}`] : ['fault', message];
}

async function deliver(body) {
  const headers = [];
  let at = 0;
  for (let end; (end = body.indexOf(10, at)) !== at; at = end + 1) {
    if (end < 0) return ['fault', 'BadDelivery no empty line behind the headers'];
    const [name, value] = body.latin1Slice(at, end).split(/: (.*)/s, 2);
    if (!name.startsWith(':')) headers.push([name, value]);
  }
  const { passed, signal, reason, lines } = await run(headers, body.subarray(at + 1));
  return ['accept', [`passed ${passed}`, ...(signal ? [`signal ${clean(signal)}`] : []), ...lines,
    ...(reason ? [`reason ${clean(reason)}`] : []), ''].join('\n')];
}

async function answer([verb, sequence], body) {
  let said = ['unsupported', `no ${verb}`];
  if (verb === 'hello') said = await hello(body.toString());
  else if (shim && verb === 'parse') said = await parse(body);
  else if (shim && verb === 'deliver') said = await deliver(body);
  return `${said[0]} ${sequence} ${said[1].length}\n${said[1]}\n`;
}

for (moveStdout(); ;) {
  let head = take(8).toString('latin1'); // no header is shorter
  while (!head.endsWith('\n')) head += take(1).toString('latin1');
  const frame = head.split(' '), body = take(Number(frame[2]) + 1).subarray(0, -1);
  if (frame[0] === 'bye') process.exit(0);
  let text = '';
  if (frame[0] !== 'batch') text = await answer(frame, body);
  else for (let at = 0; at < body.length;) {
    const line = body.indexOf(10, at), inner = body.latin1Slice(at, line).split(' ');
    at = line + 2 + Number(inner[2]);
    text += await answer(inner, body.subarray(line + 1, at - 1));
  }
  put(text);
}
