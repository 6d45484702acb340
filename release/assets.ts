// node release/assets.ts: builds packages/server/assets, the files behind /docs and /docs/reference. They are the pages of
// the documentation, Scalar's bundle and our start script, named by a hash of their content, each also compressed. `npm ci`
// runs it; without the dev dependencies it does nothing.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Manifest } from '../packages/server/src/site/files.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const assetsFolder = join(root, 'packages/server/assets');

/** The path of a file in an installed package; null if the package is not installed. */
const fileOf = (packageName: string, file: string): string | null => {
  const folders = createRequire(join(root, 'package.json')).resolve.paths(packageName) ?? [];
  return folders.map((folder) => join(folder, packageName, file)).find((path) => existsSync(path)) ?? null;
};

/** For the bundle, quality 11 would take 19 seconds instead of 1.2, and save a tenth of the size. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const encoders: Record<string, (bytes: Buffer) => Buffer> = {
  '': (bytes) => bytes,
  '.br': (bytes) => brotliCompressSync(bytes, brotliOptions),
  '.gz': (bytes) => gzipSync(bytes, { level: 9 }),
};

/** Writes atomically: an interrupted build must not leave a truncated file under the hash of the whole one. */
const write = (path: string, bytes: Buffer | string): void => {
  const whole = `${path}.${process.pid}.new`;
  writeFileSync(whole, bytes);
  renameSync(whole, path);
};

/** What there is to build; null without the dev dependencies. */
export const buildAssets = async (folder = assetsFolder): Promise<Manifest | null> => {
  const bundle = fileOf('@scalar/api-reference', 'dist/browser/standalone.js');
  // The bundle's package has no licence file; other packages of the same repository do.
  const licence = fileOf('@scalar/types', 'LICENSE');
  if (bundle === null || licence === null || fileOf('marked', 'package.json') === null) return null;
  const { renderDocs } = await import('./docs.ts');
  mkdirSync(folder, { recursive: true });
  const store = (path: string, type: string, bytes: Buffer) => {
    const [, stem = 'index', ending = 'html'] = /([^/]+?)(?:\.(\w+))?$/.exec(path) ?? [];
    const name = `${stem}-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.${ending}`;
    for (const [suffix, encode] of Object.entries(encoders))
      if (!existsSync(join(folder, name + suffix))) write(join(folder, name + suffix), encode(bytes));
    return { path, name, type };
  };
  const script = (stem: string, file: string) => {
    const { name, type } = store(`${stem}.js`, 'text/javascript; charset=utf-8', readFileSync(file));
    return { path: name, name, type }; // its path changes with its content, so that browsers may keep it
  };
  const manifest: Manifest = {
    reference: [script('scalar', bundle), script('start', join(import.meta.dirname, 'reference.js'))],
    docs: renderDocs().map(({ path, type, bytes }) => store(path, type, bytes)),
  };
  write(join(folder, 'scalar-LICENSE.txt'), readFileSync(licence));
  write(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const built = [...manifest.reference, ...manifest.docs].flatMap(({ name }) =>
    Object.keys(encoders).map((suffix) => name + suffix),
  );
  const wanted = new Set(['manifest.json', 'scalar-LICENSE.txt', ...built]);
  for (const name of readdirSync(folder))
    if (!wanted.has(name) && !name.endsWith('.new')) rmSync(join(folder, name), { force: true });
  return manifest;
};

if (import.meta.main) {
  const manifest = await buildAssets();
  if (manifest !== null)
    console.log(`${dirname(assetsFolder)}/assets: ${manifest.reference.length + manifest.docs.length} files`);
}
