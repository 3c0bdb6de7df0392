// Packages from npm: those of the folder WHICHWINS_NODE_MODULES (an environment of one version), else of the
// working directory's project. CommonJS is required; what is only an ES module is imported.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ONLY_ESM = ['ERR_REQUIRE_ESM', 'ERR_PACKAGE_PATH_NOT_EXPORTED', 'ERR_REQUIRE_ASYNC_MODULE'];
const HOME = /^(.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+))[/\\]/; // of the package a file belongs to
const manifest = (home) => JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8'));

function find(name, require) {
  const homes = (require.resolve.paths(name) ?? []).map((folder) => path.join(folder, name));
  const home = homes.find((each) => fs.existsSync(path.join(each, 'package.json')));
  if (home) return home;
  throw Object.assign(new Error(`${name} is not installed in this project`), { name: 'PackageNotFound' });
}
function imported(home) { // the file that `import` takes
  const { exports, main } = manifest(home);
  const pick = (target) => (typeof target !== 'object' || target === null ? target
    : pick(Object.entries(target).find(([when]) => ['node', 'import', 'default'].includes(when))?.[1]));
  return path.join(home, pick(exports?.['.'] ?? exports) ?? main ?? 'index.js');
}
// What a package exports, the lines of its identity, and `require` as it has it itself.
export async function load(name) {
  const require = createRequire(path.resolve(process.env.WHICHWINS_NODE_MODULES || '.', 'package.json'));
  const home = find(name, require), libraries = new Map([[name, home]]);
  let module, files;
  try {
    [module, files] = [require(name), Object.keys(require.cache).sort()];
  } catch (e) {
    if (!ONLY_ESM.includes(e?.code)) throw e;
    files = [imported(home)];
    module = await import(pathToFileURL(files[0]));
  }
  for (const [, folder, other] of files.map((file) => HOME.exec(file) ?? [])) {
    if (folder && !libraries.has(other)) libraries.set(other, folder);
  }
  const versions = [...libraries].map(([each, folder]) => `library ${each} ${manifest(folder).version}`);
  const identity = [...versions, ...files.map((file) => `file ${file}`)];
  return { module, identity, require: createRequire(path.join(home, 'package.json')) };
}
