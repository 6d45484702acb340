// node release/image.ts --out <folder>: makes the build context of deploy/Containerfile: the server as published, its
// dependencies in the versions of the lock file, the licences of all packages and a bill of materials (SBOM).
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { version } from '../packages/contract/src/version.ts';
import { packAll } from './packages.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'inherit'] });

/** Installs the dependencies of the server in exactly the versions of the lock file. */
const installDependencies = (folder: string): void => {
  for (const file of ['package.json', 'package-lock.json', ...globSync('packages/*/package.json', { cwd: root })])
    cpSync(join(root, file), join(folder, file));
  npm(folder, 'ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--workspace', 'packages/server');
  rmSync(join(folder, 'node_modules/@commonhall'), { recursive: true }); // symlinks to the sources
  for (const file of ['package-lock.json', 'packages']) rmSync(join(folder, file), { recursive: true });
};

interface Manifest {
  name: string;
  version: string;
  license?: string;
}
const manifestsIn = (folder: string): string[] =>
  globSync(
    ['node_modules/*/package.json', 'node_modules/@*/*/package.json', 'node_modules/**/node_modules/*/package.json'],
    {
      cwd: folder,
    },
  )
    .filter((file) => !file.endsWith('node_modules/@commonhall/package.json'))
    .sort();

/** The licence texts of all installed packages, concatenated. */
const licencesOf = (folder: string): string =>
  manifestsIn(folder)
    .map((file) => {
      const at = join(folder, file, '..');
      const manifest = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Manifest;
      const texts = readdirSync(at)
        .filter((entry) => /^(licen[cs]e|notice)/i.test(entry))
        .map((entry) => readFileSync(join(at, entry), 'utf8').trim());
      const heading = `${manifest.name} ${manifest.version}: ${manifest.license ?? 'see below'}`;
      return [heading, '='.repeat(heading.length), ...texts, ''].join('\n\n');
    })
    .join('\n');

export const makeContext = (out: string): void => {
  if (existsSync(out) && readdirSync(out).length > 0) throw new Error(`${out} is not empty`);
  const app = join(out, 'app');
  mkdirSync(app, { recursive: true });
  installDependencies(app);
  const packed = mkdtempSync(join(tmpdir(), 'commonhall-image-'));
  packAll(packed);
  for (const name of ['contract', 'server'])
    cpSync(join(packed, name), join(app, 'node_modules/@commonhall', name), { recursive: true });
  rmSync(packed, { recursive: true });
  writeFileSync(
    join(app, 'package.json'),
    `${JSON.stringify({ name: 'commonhall-image', version, private: true, type: 'module', dependencies: { '@commonhall/server': version } }, null, 2)}\n`,
  );
  writeFileSync(join(app, 'licences.txt'), licencesOf(app));
  writeFileSync(join(app, 'sbom.cdx.json'), npm(app, 'sbom', '--sbom-format', 'cyclonedx'));
  // Type declarations and source maps are not needed at run time.
  for (const file of globSync(['node_modules/**/*.d.ts', 'node_modules/**/*.d.{mts,cts}', 'node_modules/**/*.map'], {
    cwd: app,
  }))
    rmSync(join(app, file));
  cpSync(join(root, 'deploy/health.js'), join(app, 'health.js'));
};

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  if (values.out === undefined) throw new Error('--out is missing: npx node release/image.ts --out <folder>');
  makeContext(values.out);
  console.log(`Build it: buildah bud --file deploy/Containerfile --tag commonhall:${version} ${values.out}`);
}
