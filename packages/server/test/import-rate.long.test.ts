// The rate of import, compared with a bare COPY of the same rows into tables with the same indexes and triggers, and
// the memory that import uses.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { demoNow, demoPictures } from '@commonhall/sample/cast';
import { scales } from '@commonhall/sample/scales';
import { worldOf } from '@commonhall/sample/world';
import { from as copyFrom } from 'pg-copy-streams';
import { createWorld } from '../../../test/helpers/world.ts';
import { importData } from '../src/commands/import.ts';
import { readConfig } from '../src/config.ts';
import { recordReader } from '../src/records/records.ts';
import { tables } from '../src/records/tables.ts';

const [bare, ours, third] = [await createWorld(), await createWorld(), await createWorld()];
const folder = mkdtempSync(join(tmpdir(), 'commonhall-rate-'));
after(() => rmSync(folder, { recursive: true }));

const scale = {
  ...scales.small,
  users: 30_000,
  collections: 2000,
  holdings: 80_000,
  largestCollection: 20_000,
  repositories: 20_000,
  timeline: 60_000,
};
const world = worldOf({ seed: 1, scale, now: demoNow, pictures: demoPictures });
const measured = ['users', 'collections', 'collection_holders', 'repositories', 'timeline_items'];
const files = tables
  .filter(({ name }) => measured.includes(name))
  .map((table) => ({ table, lines: [...world[table.name]!()].map((row) => JSON.stringify(row)) }));
for (const { table, lines } of files) writeFileSync(join(folder, `${table.name}.ndjson`), `${lines.join('\n')}\n`);

test('import has at least 0.3 of the rate of a bare COPY', async (t) => {
  const copies = files.map(({ table, lines }) => {
    const read = recordReader(table);
    const rows = lines.map((line, index) => read(index, Buffer.from(line)));
    return { table, text: rows.map((row) => `${'copy' in row ? row.copy : ''}\n`).join('') };
  });
  const bareBegan = performance.now();
  for (const { table, text } of copies)
    await pipeline(
      Readable.from([Buffer.from(text)]),
      bare.owner.query(copyFrom(`copy ${table.name} (${Object.keys(table.columns).join(', ')}) from stdin`)),
    );
  const bareMs = performance.now() - bareBegan;
  const oursBegan = performance.now();
  assert.equal(
    await importData(readConfig({ DATABASE_URL: ours.ownerUrl }), folder, { dryRun: false, strict: false }, () => {}),
    true,
  );
  const oursMs = performance.now() - oursBegan;
  const records = files.reduce((sum, { lines }) => sum + lines.length, 0);
  t.diagnostic(
    `${records} records: bare COPY ${Math.round((records / bareMs) * 1000)}/s, import ${Math.round((records / oursMs) * 1000)}/s, ratio ${(bareMs / oursMs).toFixed(2)}`,
  );
  assert.ok(bareMs / oursMs >= 0.3, `${bareMs / oursMs}`);
});

test('import uses less than 512 MiB of memory', async (t) => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'import', folder], {
    env: { PATH: process.env.PATH, DATABASE_URL: third.ownerUrl },
    stdio: 'ignore',
  });
  let peakKib = 0;
  const poll = setInterval(() => {
    try {
      peakKib = Math.max(
        peakKib,
        Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0),
      );
    } catch {
      // The process has ended.
    }
  }, 50);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(poll);
  t.diagnostic(`${Math.round(peakKib / 1024)} MiB at most`);
  assert.equal(code, 0);
  if (process.platform === 'linux') assert.ok(peakKib > 0 && peakKib < 512 * 1024, `${peakKib} KiB`);
});
