// Loads the sample data into a database: the schema, the records and the API keys of the demo. Also the settings of a
// server for it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { demoKeys, demoNow, demoPepper } from '../packages/sample/src/cast.ts';
import type { ScaleName } from '../packages/sample/src/scales.ts';
import { writeWorld } from '../packages/sample/src/write.ts';
import { importData } from '../packages/server/src/commands/import.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { withClient } from '../packages/server/src/db/connection/client.ts';
import { migrate } from '../packages/server/src/db/schema/migrate.ts';
import { hashKey } from '../packages/server/src/http/auth.ts';
import { storeKey } from '../packages/server/src/operator/keys.ts';
import { findNamed } from '../packages/server/src/operator/named.ts';
import { tableNamed } from '../packages/server/src/records/records.ts';

/** Stores the keys of the example callers under a name. */
export const storeDemoKeys = async (client: pg.Client, name: string): Promise<void> => {
  for (const { username, key } of Object.values(demoKeys)) {
    const [user] = await findNamed(client, tableNamed('users'), [username]);
    const hash = hashKey(key, demoPepper);
    await storeKey(client, { id: `${name}-${username}`, userId: user?.key[0] ?? '', name, hash, expiresInDays: null });
  }
};

export const loadSample = async (
  url: string,
  { scale, pictures, now = demoNow }: { scale: ScaleName; pictures: string; now?: string },
  say: (line: string) => void,
): Promise<void> => {
  await migrate(url, say);
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-demo-'));
  try {
    await writeWorld(folder, { seed: 42, scale, now, pictures, gzip: false }, () => {});
    await importData(readConfig({ DATABASE_URL: url }), folder, { dryRun: false, strict: true }, say);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await withClient(url, async (client) => {
    await storeDemoKeys(client, 'demo');
    await client.query('create role demo login in role commonhall_reader; analyze');
  });
};

/** Settings of a server for the sample data, with a fixed clock. */
export const sampleSettings = (url: string): Record<string, string> => ({
  DATABASE_URL: url.replace('postgres@', 'demo@'),
  METRICS_PORT: '0',
  KEY_PEPPER: demoPepper,
  KEY_KINDS: 'test',
  RATE_LIMIT_PER_ADDRESS: '0',
  RATE_LIMIT_PER_TOKEN: '0',
  FIXED_NOW: demoNow,
  DRAIN_MS: '0',
});
