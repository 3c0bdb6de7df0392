// What the shims stand on: requests and what they did, packages, a client that sends exactly these bytes.
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { render } from '../node/notation.mjs';

export class Unsupported extends Error {}

// One request: what comes in, and what is seen of it.
class Case {
  constructor(headers, raw) {
    Object.assign(this, { headers, raw, passed: null, signal: '', reason: '', error: null, lines: [], executions: [] });
  }
  end(passed, signal = '', reason = '') { // the first word holds
    if (this.passed === null) Object.assign(this, { passed, signal, reason: reason || this.reason });
  }
  raised(error) { // a rejection, unless something had run or the runtime gave up
    this.error ??= error;
    const broken = this.executions.length || error instanceof RangeError;
    this.end(broken ? 'failed' : 'rejected', `exception ${error?.name ?? 'Error'}`);
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|[[\]{},:]/gs;

export class Bench {
  constructor(options) {
    this.identity = [];
    this.current = null;
    this.template = options.template ?? null;
    this.path = options.path ?? '/tool';
    this.headers = Object.entries(options).filter(([key]) => key.startsWith('header.'))
      .map(([key, value]) => [key.slice(7), value]);
    this.require = createRequire(path.resolve(process.env.WHICHWINS_NODE_MODULES || '.', 'package.json'));
  }
  open(headers, raw) { return (this.current = new Case(headers, raw)); }

  // A package of the environment, or of the project in the working directory; `part`: what of it.
  use(name, part = '') {
    const homes = (this.require.resolve.paths(name) ?? []).map((folder) => path.join(folder, name, 'package.json'));
    const manifest = homes.find((file) => fs.existsSync(file));
    if (!manifest) {
      throw Object.assign(new Error(`${name} is not installed in this project`), { name: 'PackageNotFound' });
    }
    const file = this.require.resolve(name + part);
    const line = `library ${name} ${JSON.parse(fs.readFileSync(manifest, 'utf8')).version}`;
    if (!this.identity.includes(line)) this.identity.push(line);
    this.identity.push(`file ${file}`);
    return this.require(name + part);
  }

  // ---- what a handler does
  execute(value) {
    const text = render(value);
    this.current.executions.push(text);
    this.current.lines.push(`execute ${text}`);
  }
  async reading(act) { // an error is noted, and goes on
    const request = this.current;
    try { return await act(); } catch (e) { request.error ??= e; throw e; }
  }

  // ---- where the case stands
  lines(request) { // the request's headers, those of the case in the place of their namesakes
    const own = new Set(request.headers.map(([name]) => name));
    return Object.fromEntries([...this.headers.filter(([name]) => !own.has(name)), ...request.headers]);
  }
  body(request) {
    if (this.template === null) return request.raw;
    const [before, after] = this.template.split('{case}');
    return Buffer.concat([Buffer.from(before), this.value(request.raw), Buffer.from(after)]);
  }
  value(raw) { // in a larger text, nothing but brackets behind it: what would go on in that text is not put
    const text = raw.toString('latin1');
    if (/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.test(text)) {
      throw new Unsupported('a byte order mark cannot stand first in a larger text');
    }
    let depth = 0;
    for (const [token] of text.matchAll(TOKEN)) {
      if (token === '{' || token === '[') depth += 1;
      else if (token === '}' || token === ']') depth -= 1;
      if (depth < 0 || (depth === 0 && (token === ',' || token === ':'))) {
        throw new Unsupported('the case would end the value that it stands in');
      }
    }
    return raw;
  }
  text(request) { // a string in a canned answer
    if (request.headers.length) throw new Unsupported('the case has headers, and no request carries them here');
    try { return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(request.raw); } catch {
      throw new Unsupported('the case is not UTF-8, so it cannot stand in a string');
    }
  }

  // ---- how it ended
  response(request, status, body) {
    if (status >= 200 && status < 300) {
      let said = null;
      try { said = JSON.parse(body); } catch { /* no JSON, no error body */ }
      const wrong = said?.error || said?.errors || said?.isError === true || said?.result?.isError === true;
      request.end(wrong ? 'rejected' : 'accepted', `http ${status}${wrong ? ' with an error body' : ''}`);
    } else if (status >= 400) request.end('rejected', `http ${status}`);
    else request.end('failed', `http ${status}`, 'neither a success nor a rejection');
  }

  // A server behind the loopback, asked with exactly these bytes.
  async served(listener) {
    const server = http.createServer(listener);
    await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
    const { port } = server.address();
    return (request) => new Promise((done, failed) => {
      const body = this.body(request);
      const headers = { ...this.lines(request), 'content-length': body.length, connection: 'close' };
      const options = { port, host: '127.0.0.1', path: this.path, method: 'POST', headers, agent: false };
      const sent = http.request(options, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part)).on('error', failed).on('end', () => {
          done(this.response(request, answer.statusCode, Buffer.concat(parts).toString()));
        });
      });
      sent.on('error', failed).end(body);
    });
  }
}
