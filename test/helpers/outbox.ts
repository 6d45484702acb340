// The platform's side of the feed: its PostgreSQL with the outbox of examples/platform, and the relay from there.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgres } from '../postgres.ts';
import { startProgram } from './feed.ts';

const example = (file: string) => fileURLToPath(new URL(`../../examples/platform/${file}`, import.meta.url));

/** Creates only the outbox of the example's schema; the test writes the changes itself. */
export const openOutbox = async (natsUrl: string) => {
  const platform = await startPostgres({ shared_buffers: '64MB' });
  const writer = new pg.Client(platform.url);
  await writer.connect();
  const outbox = readFileSync(example('schema.sql'), 'utf8').match(/^create table outbox[\s\S]*?\);$/gm)!;
  await writer.query(outbox.join(''));
  const startRelay = () =>
    startProgram(example('relay.ts'), [], { PLATFORM_DATABASE_URL: platform.url, NATS_URL: natsUrl });
  let relay = startRelay();
  return {
    writer,
    relay: () => relay,
    restartRelay: async () => {
      await relay.kill();
      relay = startRelay();
    },
    /** One transaction of the platform. */
    commit: (bodies: readonly string[]) =>
      writer.query(
        'insert into outbox (body) select b::json from unnest($1::text[]) with ordinality u (b, n) order by n',
        [bodies],
      ),
    stop: async () => {
      await relay.kill();
      await writer.end();
      await platform.stop();
    },
  };
};
