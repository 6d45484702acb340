// npm run demo: a full local instance in one command. A private PostgreSQL, the schema, a sample community with its
// pictures, fixed API keys and the server; until Ctrl-C, which leaves nothing behind.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { demoKeys, demoNow, demoPepper } from '../packages/sample/src/cast.ts';
import { examples } from '../packages/sample/src/examples.ts';
import { openPictures } from '../packages/sample/src/picture-server.ts';
import type { ScaleName } from '../packages/sample/src/scales.ts';
import { writeWorld } from '../packages/sample/src/write.ts';
import { importData } from '../packages/server/src/commands/import.ts';
import { serve } from '../packages/server/src/commands/serve.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { storeKey } from '../packages/server/src/db/keys.ts';
import { migrate } from '../packages/server/src/db/migrate.ts';
import { hashKey } from '../packages/server/src/http/auth.ts';
import { openLog } from '../packages/server/src/log.ts';
import { freePort, startPostgres } from '../test/postgres.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8080' },
    'pictures-port': { type: 'string', default: '8081' },
    scale: { type: 'string', default: 'small' },
    examples: { type: 'boolean', default: false },
  },
});
const say = (line: string): void => console.log(line);

const run = async (scale: ScaleName): Promise<void> => {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
  const port = values.port === '0' ? await freePort() : Number(values.port);
  const pictures = await openPictures(Number(values['pictures-port']));
  const postgres = await startPostgres().catch(async (error) => {
    await pictures.stop();
    throw error;
  });
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-demo-'));
  try {
    say('PostgreSQL is up; making and loading the community …');
    await migrate(postgres.url, say);
    await writeWorld(folder, { seed: 42, scale, now: demoNow, pictures: pictures.url, gzip: false }, () => {});
    const quiet = (line: string) => {
      if (line.startsWith('rejected') || scale !== 'small') say(line);
    };
    await importData(readConfig({ DATABASE_URL: postgres.url }), folder, { dryRun: false, strict: false }, quiet);
    for (const { username, key } of Object.values(demoKeys)) {
      const hash = hashKey(key, demoPepper);
      await storeKey(postgres.url, { id: `demo-${username}`, username, name: 'demo', hash, expiresInDays: null });
    }
    const owner = new pg.Client(postgres.url);
    await owner.connect();
    await owner.query('create role demo login in role commonhall_reader; analyze');
    await owner.end();
    const config = readConfig({
      DATABASE_URL: postgres.url.replace('postgres@', 'demo@'),
      PORT: String(port),
      METRICS_PORT: '0',
      KEY_PEPPER: demoPepper,
      KEY_KINDS: 'test',
      RATE_LIMIT_PER_ADDRESS: '0',
      RATE_LIMIT_PER_TOKEN: '0',
      FIXED_NOW: demoNow,
      DRAIN_MS: '0',
      LOG_LEVEL: 'error',
    });
    const server = await serve(config, openLog(config.LOG_LEVEL, process.stderr));
    say(`\nPictures are at ${pictures.url}.`);
    say(`Commonhall is at ${server.url}. The clock stands still at ${demoNow}.\n`);
    for (const { operation, path, token } of examples) {
      const header = token === undefined ? '' : ` -H 'Authorization: Bearer ${token}'`;
      say(`${operation.padEnd(29)} curl${header} '${server.url}${path}'`);
    }
    say('\nCtrl-C ends it and leaves nothing behind.');
    await stopped;
    await server.stop();
  } finally {
    await pictures.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

if (values.examples) say(JSON.stringify(examples, null, 2));
else if (!['small', 'medium', 'large'].includes(values.scale)) {
  console.error('--scale must be small, medium or large');
  process.exitCode = 1;
} else if (![values.port, values['pictures-port']].every((port) => /^\d{1,5}$/.test(port) && Number(port) < 65_536)) {
  console.error('--port and --pictures-port must be numbers from 0 to 65535');
  process.exitCode = 1;
} else
  await run(values.scale as ScaleName).catch((error: NodeJS.ErrnoException & { port?: number }) => {
    const isTaken = error.code === 'EADDRINUSE';
    const advice = 'choose others: npm run demo -- --port 8180 --pictures-port 8181';
    console.error(isTaken ? `port ${error.port} is taken; ${advice}` : error);
    process.exitCode = 1;
  });
