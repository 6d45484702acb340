// node release/assets.ts: builds packages/server/assets, the files for /docs/reference: Scalar's bundle and our start
// script, with a content hash in the name, each also compressed. `npm ci` runs it; without the dev dependencies it does
// nothing.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

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

/** The names of the scripts in the order in which the page loads them; null if the sources are not installed. */
export const buildAssets = (folder = assetsFolder): string[] | null => {
  const bundle = fileOf('@scalar/api-reference', 'dist/browser/standalone.js');
  // The bundle's package has no licence file; other packages of the same repository do.
  const licence = fileOf('@scalar/types', 'LICENSE');
  if (bundle === null || licence === null) return null;
  mkdirSync(folder, { recursive: true });
  const sources = { scalar: bundle, start: join(import.meta.dirname, 'reference.js') };
  const scripts = Object.entries(sources).map(([stem, path]) => {
    const bytes = readFileSync(path);
    const name = `${stem}-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.js`;
    for (const [ending, encode] of Object.entries(encoders))
      if (!existsSync(join(folder, name + ending))) write(join(folder, name + ending), encode(bytes));
    return name;
  });
  write(join(folder, 'scalar-LICENSE.txt'), readFileSync(licence));
  write(join(folder, 'manifest.json'), `${JSON.stringify({ scripts }, null, 2)}\n`);
  const wanted = [
    'manifest.json',
    'scalar-LICENSE.txt',
    ...scripts.flatMap((name) => [name, `${name}.br`, `${name}.gz`]),
  ];
  for (const name of readdirSync(folder))
    if (!wanted.includes(name) && !name.endsWith('.new')) rmSync(join(folder, name), { force: true });
  return scripts;
};

if (import.meta.main) {
  const scripts = buildAssets();
  if (scripts !== null) console.log(`${dirname(assetsFolder)}/assets: ${scripts.join(', ')}`);
}
