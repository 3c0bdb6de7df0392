// CRuby as WebAssembly under node:wasi: boot it, keep its booted memory as a snapshot, start from that.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { WASI } from 'node:wasi';

const PAGE = 4096;
// An error raised from more frames than this overflows the host's stack and ends the VM.
const DEEPEST = 100;
export function moduleFile(home) { // of the one Ruby that stands in the environment
  const packages = path.join(home, 'node_modules', '@ruby');
  const ruby = fs.readdirSync(packages).find((name) => /^\d+\.\d+-wasm-wasi$/.test(name));
  return path.join(packages, ruby, 'dist', 'ruby+stdlib.wasm');
}
export const snapshotFile = (home) => path.join(home, 'booted.snapshot');

export async function load(home) { // what every VM of a process shares
  const require = createRequire(path.join(home, 'package.json'));
  const { RubyVM } = await import(pathToFileURL(require.resolve('@ruby/wasm-wasi')));
  return { RubyVM, module: await WebAssembly.compile(fs.readFileSync(moduleFile(home))) };
}

// Ruby reads `input` from descriptor 0 and answers into `output` through 1; what it says on 2 is
// passed on to standard error. Nothing of the host's file system is opened to it.
export class Ruby {
  input = Buffer.alloc(0);
  output = [];

  static async bare({ RubyVM, module }) {
    const ruby = new Ruby();
    const wasi = new WASI({ version: 'preview1', args: [], env: {}, returnOnExit: true });
    const { fd_read, fd_write } = wasi.wasiImport;
    const pieces = (iovs, count) => Array.from({ length: count }, (_, i) => {
      const view = new DataView(ruby.memory.buffer, iovs + 8 * i, 8);
      return Buffer.from(ruby.memory.buffer, view.getUint32(0, true), view.getUint32(4, true));
    });
    const done = (at, n) => { new DataView(ruby.memory.buffer).setUint32(at, n, true); return 0; };
    const imports = {
      wasi_snapshot_preview1: {
        ...wasi.wasiImport,
        fd_read: (fd, iovs, count, at) => (fd !== 0 ? fd_read(fd, iovs, count, at) : done(at, pieces(iovs, count)
          .reduce((sum, room) => {
            const n = ruby.input.copy(room);
            ruby.input = ruby.input.subarray(n);
            return sum + n;
          }, 0))),
        fd_write: (fd, iovs, count, at) => (fd > 2 ? fd_write(fd, iovs, count, at) : done(at, pieces(iovs, count)
          .reduce((sum, piece) => {
            if (fd === 1) ruby.output.push(Buffer.from(piece));
            else process.stderr.write(Buffer.from(piece));
            return sum + piece.length;
          }, 0))),
      },
    };
    ruby.vm = new RubyVM();
    ruby.vm.addToImports(imports);
    ruby.instance = await WebAssembly.instantiate(module, imports);
    ruby.memory = ruby.instance.exports.memory;
    ruby.wasi = wasi;
    await ruby.vm.setInstance(ruby.instance);
    return ruby;
  }

  static async boot(shared, source) {
    const ruby = await Ruby.bare(shared);
    ruby.wasi.initialize(ruby.instance);
    ruby.vm.initialize(['ruby', '--disable-gems', '-EUTF-8', '-e_=0']);
    ruby.run('$stdout = STDERR; STDIN.binmode; STDOUT.binmode');
    ruby.run(source);
    ruby.run(`$whichwins = Whichwins::Kit.new(["detail engine=WebAssembly"], ${DEEPEST}); GC.start`);
    return ruby;
  }

  static async restore(shared, snapshot) {
    const ruby = await Ruby.bare(shared);
    // The memory is already initialised: node:wasi only needs to know where it is.
    ruby.wasi.initialize({ exports: { memory: ruby.memory } });
    const pages = snapshot.readUInt32LE(0), bytes = snapshot.readUInt32LE(4) * 65536;
    if (bytes > ruby.memory.buffer.byteLength) ruby.memory.grow((bytes - ruby.memory.buffer.byteLength) / 65536);
    const memory = Buffer.from(ruby.memory.buffer);
    const data = 8 + 4 * pages;
    for (let i = 0; i < pages; i++) {
      snapshot.copy(memory, snapshot.readUInt32LE(8 + 4 * i) * PAGE, data + i * PAGE, data + (i + 1) * PAGE);
    }
    return ruby;
  }

  run(code) {
    this.vm.eval(code).inner.drop();
  }

  // One call of `code`, with `input` to read: the bytes it wrote.
  step(code, input) {
    [this.input, this.output] = [input, []];
    this.run(code);
    return Buffer.concat(this.output);
  }
}

// The pages in which a booted memory differs from a fresh instance's, behind their numbers.
export async function snapshot(shared, source) {
  const booted = Buffer.from((await Ruby.boot(shared, source)).memory.buffer);
  const fresh = Buffer.from((await Ruby.bare(shared)).memory.buffer);
  const blank = Buffer.alloc(PAGE), changed = [];
  for (let at = 0; at < booted.length; at += PAGE) {
    const before = at < fresh.length ? fresh.subarray(at, at + PAGE) : blank;
    if (!before.equals(booted.subarray(at, at + PAGE))) changed.push(at / PAGE);
  }
  const head = Buffer.alloc(8 + 4 * changed.length);
  head.writeUInt32LE(changed.length, 0);
  head.writeUInt32LE(booted.length / 65536, 4);
  changed.forEach((page, i) => head.writeUInt32LE(page, 8 + 4 * i));
  return Buffer.concat([head, ...changed.map((page) => booted.subarray(page * PAGE, (page + 1) * PAGE))]);
}
