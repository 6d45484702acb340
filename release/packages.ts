// Builds the packages for publishing: JavaScript and declarations by tsc, package.json with the version, README,
// licence. The repository itself runs from its TypeScript sources, without a build.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../packages/contract/src/version.ts';
import { releasedTypes } from './types.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
/** In dependency order: a package comes after those that it imports. */
export const published = ['contract', 'client', 'cli', 'server'] as const;
type Name = (typeof published)[number];

/** The extra files of each package, the Node versions it supports, and the ambient types it compiles with. */
const particulars: Record<Name, { files: readonly string[]; node: string; types: readonly string[] }> = {
  contract: { files: ['openapi.json', 'examples.json'], node: '>=20', types: [] },
  client: { files: [], node: '>=20', types: [] },
  cli: { files: [], node: '>=20', types: ['node'] },
  server: { files: ['commonhall.js', 'migrations', 'assets', 'explorer.css'], node: '>=24', types: ['node'] },
};

/** The modules of the contract that are copied into the client, so that it has no dependencies. */
const carried = ['table', 'url', 'errors'];

interface Manifest {
  name: string;
  exports?: string | Record<string, string>;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  [key: string]: unknown;
}
const readManifest = (name: Name): Manifest =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest;

const built = (path: string): string => path.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '.js');
const exported = (path: string) =>
  path.endsWith('.ts') ? { types: built(path).replace(/\.js$/, '.d.ts'), default: built(path) } : path;

const manifestOf = (name: Name): Manifest => {
  const {
    private: _,
    devDependencies: __,
    name: packageName,
    exports = {},
    bin,
    dependencies = {},
    ...rest
  } = readManifest(name);
  const entries = typeof exports === 'string' ? { '.': exports } : exports;
  return {
    name: packageName,
    version,
    ...rest,
    engines: { node: particulars[name].node },
    sideEffects: false,
    ...(bin === undefined
      ? {}
      : { bin: Object.fromEntries(Object.entries(bin).map(([key, path]) => [key, built(path)])) }),
    exports: {
      ...Object.fromEntries(Object.entries(entries).map(([key, path]) => [key, exported(path)])),
      './package.json': './package.json',
    },
    files: ['dist', ...particulars[name].files],
    dependencies: Object.fromEntries(
      Object.entries(dependencies).map(([key, wanted]) => [key, key.startsWith('@commonhall/') ? version : wanted]),
    ),
    publishConfig: { access: 'public' },
  };
};

/** Adds to the client's sources what they need of the contract. */
const stageClient = (folder: string): void => {
  for (const file of carried)
    cpSync(join(root, 'packages/contract/src', `${file}.ts`), join(folder, 'src/contract', `${file}.ts`));
  writeFileSync(join(folder, 'src/types.ts'), releasedTypes());
  for (const file of globSync('src/*.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), text.replaceAll(/'@commonhall\/contract\/(\w+)'/g, "'./contract/$1.ts'"));
  }
};

const compile = (name: Name, folder: string): void => {
  const options = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      target: name === 'server' ? 'es2024' : 'es2022',
      rootDir: 'src',
      outDir: 'dist',
      types: particulars[name].types,
    },
    include: ['src'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { stdio: 'inherit' });
  rmSync(join(folder, 'tsconfig.json'));
  rmSync(join(folder, 'src'), { recursive: true });
};

const build = (name: Name, out: string): void => {
  const folder = join(out, name);
  cpSync(join(root, 'packages', name, 'src'), join(folder, 'src'), { recursive: true });
  if (name === 'client') stageClient(folder);
  for (const file of particulars[name].files)
    cpSync(join(root, 'packages', name, file), join(folder, file), { recursive: true });
  if (name === 'server') {
    const starter = join(folder, 'commonhall.js');
    writeFileSync(starter, readFileSync(starter, 'utf8').replace('./src/main.ts', './dist/main.js'));
  }
  // Imports of other packages must resolve to the built packages, not to the sources.
  mkdirSync(join(folder, 'node_modules/@commonhall'), { recursive: true });
  for (const other of published.slice(0, published.indexOf(name)))
    symlinkSync(join(out, other), join(folder, 'node_modules/@commonhall', other));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(name), null, 2)}\n`);
  cpSync(join(root, 'packages', name, 'README.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  compile(name, folder);
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
};

/** Builds and packs every package; returns the names of the tarballs. */
export const packAll = (out: string): string[] => {
  const isOurs = !existsSync(out) || readdirSync(out).length === 0 || existsSync(join(out, 'contract/package.json'));
  if (!isOurs) throw new Error(`${out} contains other files: choose another folder`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const modules = join(out, 'node_modules'); // tsc needs the dependencies, and `out` may be outside the repository
  symlinkSync(join(root, 'node_modules'), modules);
  for (const name of published) build(name, out);
  rmSync(modules);
  return published.map((name) =>
    execFileSync('npm', ['pack', join(out, name), '--silent', '--pack-destination', out], {
      cwd: out,
      encoding: 'utf8',
    }).trim(),
  );
};
