// npm run demo: a full local instance in one command: a private PostgreSQL, the schema, sample data with pictures,
// fixed API keys and the server; with --live also a platform whose changes are followed. Runs until Ctrl-C, and then
// removes everything.
import { parseArgs } from 'node:util';
import { sitePaths } from '@commonhall/contract/site';
import { demoNow } from '../packages/sample/src/cast.ts';
import { openPictures } from '../packages/sample/src/picture-server.ts';
import type { ScaleName } from '../packages/sample/src/scales.ts';
import { serve } from '../packages/server/src/commands/serve.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { openLog } from '../packages/server/src/log.ts';
import { freePort, startPostgres } from '../test/postgres.ts';
import { examples } from './examples.ts';
import { runLive } from './live.ts';
import { loadSample, sampleSettings } from './load.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8080' },
    'pictures-port': { type: 'string', default: '8081' },
    scale: { type: 'string', default: 'small' },
    examples: { type: 'boolean', default: false },
    live: { type: 'boolean', default: false },
  },
});
/** What a person looks at first. */
const addresses = [
  ['Explore', sitePaths.explore],
  ['The API', ''],
  ['Reference', sitePaths.reference],
  ['Documentation', sitePaths.docs],
] as const;
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
  try {
    say('PostgreSQL is up; generating and loading the sample data …');
    const quiet = (line: string) => {
      if (line.startsWith('rejected') || scale !== 'small') say(line);
    };
    // A living community has the real time; otherwise every response is the same on every machine.
    const at = values.live ? new Date().toISOString() : demoNow;
    await loadSample(postgres.url, { scale, pictures: pictures.url, now: at }, quiet);
    const { FIXED_NOW, ...settings } = sampleSettings(postgres.url);
    const config = readConfig({
      ...settings,
      ...(values.live ? {} : { FIXED_NOW }),
      PORT: String(port),
      LOG_LEVEL: 'error',
      EXPLORER_IMAGE_ORIGINS: pictures.url,
    });
    const log = openLog(config.LOG_LEVEL, process.stderr);
    const server = await serve(config, log);
    say(`\nPictures are at ${pictures.url}.`);
    say(
      `Commonhall is at ${server.url}. ${values.live ? 'About once a second something happens' : `Its clock is fixed at ${demoNow}`}.\n`,
    );
    for (const { operation, path, token } of examples) {
      const header = token === undefined ? '' : ` -H 'Authorization: Bearer ${token}'`;
      say(`${operation.padEnd(29)} curl${header} '${server.url}${path}'`);
    }
    say('\nPress Ctrl-C to stop; nothing is left behind. Four addresses to click:\n');
    for (const [what, path] of addresses) say(`  ${what.padEnd(13)} ${server.url}${path}`);
    const stop = new AbortController();
    const living = values.live ? runLive(postgres.url, log, stop.signal) : Promise.resolve();
    await Promise.race([stopped, living]);
    await stopped;
    stop.abort();
    await living;
    await server.stop();
  } finally {
    await pictures.stop();
    await postgres.stop();
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
    const advice = 'choose other ports: npm run demo -- --port 8180 --pictures-port 8181';
    console.error(isTaken ? `port ${error.port} is in use; ${advice}` : error);
    process.exitCode = 1;
  });
