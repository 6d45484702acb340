// npm run release: builds the packages, checks that the changelog has the version, writes checksums and a bill of
// materials (SBOM), and publishes. With --dry-run it stops before publishing. --lock only writes release/locks: what this
// version promises, which later ones of its major version must keep.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openApiDocument } from '../packages/contract/src/openapi.ts';
import { version } from '../packages/contract/src/version.ts';
import { packAll } from './packages.ts';
import { writeLocks } from './surface.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    lock: { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, 'build') },
  },
});
if (values.lock) {
  writeLocks(openApiDocument('http://127.0.0.1:8080'));
  process.exit();
}
const out = resolve(values.out);

/** Requires a heading for the version, `## 1.2.3 - 2026-01-31`. A version without a date must not be published. */
const checkChangelog = (isDryRun: boolean): void => {
  const heading = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`## ${version} `) || line === `## ${version}`);
  if (heading === undefined)
    throw new Error(`CHANGELOG.md has no section for ${version}: add \`## ${version} - <date>\``);
  if (!isDryRun && !/ - \d{4}-\d{2}-\d{2}$/.test(heading))
    throw new Error(`CHANGELOG.md: add the date to \`${heading}\` before you publish`);
};

/** Resolves an installation of the packages, to list what it contains. The repository's lock file would list more. */
const billOfMaterials = (tarballs: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-sbom-'));
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'commonhall', version, license: 'Apache-2.0' }));
    const files = tarballs.map((file) => join(out, file));
    npm('install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', ...files);
    return npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

checkChangelog(values['dry-run']);
const tarballs = packAll(out);
writeFileSync(join(out, 'sbom.cdx.json'), billOfMaterials(tarballs));
const sums = [...tarballs, 'sbom.cdx.json'].map((file) => {
  const digest = createHash('sha256')
    .update(readFileSync(join(out, file)))
    .digest('hex');
  return `${digest}  ${file}\n`;
});
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
console.log(`${version} in ${out}:\n${sums.join('')}`);
if (values['dry-run']) console.log('Nothing was published.');
else for (const file of tarballs) execFileSync('npm', ['publish', join(out, file)], { stdio: 'inherit' });
