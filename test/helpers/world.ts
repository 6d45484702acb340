// A private database for a test file, cloned from the migrated template, and servers over it. At the end every
// maintained value is recounted, log lines with secrets fail the file, servers are stopped and the database is dropped.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Client } from '@commonhall/client';
import { createClient } from '@commonhall/client';
import pg from 'pg';
import type { Running } from '../../packages/server/src/commands/serve.ts';
import { serve } from '../../packages/server/src/commands/serve.ts';
import { readConfig } from '../../packages/server/src/config.ts';
import { verify } from '../../packages/server/src/db/schema/verify.ts';
import { hashKey, makeKey } from '../../packages/server/src/http/auth.ts';
import { openLog } from '../../packages/server/src/log.ts';
import type { Add } from './builders.ts';
import { builders } from './builders.ts';
import { checkedFetch, credential } from './checked-fetch.ts';
import { patient } from './process.ts';

export const pepper = 'a pepper that only the tests know 0123';

export interface Api extends Running {
  /** Every answer is checked against the contract. */
  client: Client;
  as: (token: string) => Client;
  /** A raw request to a path of the API; the answer is checked too. */
  get: (path: string, init?: RequestInit) => Promise<Response>;
  /** The parsed lines of the log. */
  lines: Record<string, unknown>[];
}
export interface World {
  owner: pg.Client;
  ownerUrl: string;
  readerUrl: string;
  add: Add;
  /** A valid API key of a user. */
  keyFor: (userId: string) => Promise<string>;
  serve: (settings?: Record<string, string>) => Promise<Api>;
}

/** Texts that no log line of any test may contain: credentials, the pepper, and values that tests mark as private. */
const secrets = new RegExp(`${credential.source}|${pepper}|canary-|wallet-\\d|reason-\\d`);

/** Makes a valid API key of a user. */
export const keyMaker =
  (add: Add) =>
  async (userId: string): Promise<string> => {
    const key = makeKey('test');
    await add('api_keys', { user_id: userId, hash: hashKey(key, pepper) });
    return key;
  };

let counter = 0;

export const createWorld = async (): Promise<World> => {
  const admin = process.env.COMMONHALL_TEST_ADMIN_URL;
  const run = process.env.COMMONHALL_TEST_RUN;
  assert.ok(admin !== undefined && run !== undefined, 'run the tests by: npm test');
  counter += 1;
  const name = `${run}_${process.pid}_${counter}`;
  const at = (user: string | null): string => {
    const url = new URL(admin);
    url.pathname = `/${name}`;
    if (user !== null) url.username = user;
    return url.href;
  };
  const root = new pg.Client({ connectionString: admin });
  await root.connect();
  // Only one session at a time can clone the template, and test files start at the same time.
  await root.query('select pg_advisory_lock(4711)');
  await root.query(`create database ${name} template ${run}`);
  await root.query('select pg_advisory_unlock(4711)');
  const ownerUrl = at(null);
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const servers: Running[] = [];
  const leaks: string[] = [];

  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await owner.end();
    const found = await verify(ownerUrl, false).catch((error: unknown) => error as Error);
    await root.query(`drop database ${name} with (force)`);
    await root.end();
    try {
      if (found instanceof Error) throw found;
      assert.deepEqual(leaks, [], 'a secret is in the log');
      assert.deepEqual(found.drifts, [], 'maintained values drifted');
      assert.ok(found.checked > 10);
    } catch (error) {
      // An error skips the hooks of the test file. What those would stop then keeps the process alive.
      setTimeout(() => process.exit(1), 30_000).unref();
      throw error;
    }
  });

  const add = builders(owner);
  return {
    owner,
    ownerUrl,
    readerUrl: at(run),
    add,
    keyFor: keyMaker(add),
    serve: async (settings = {}) => {
      const lines: Record<string, unknown>[] = [];
      const config = readConfig({
        DATABASE_URL: at(run),
        PORT: '0',
        METRICS_PORT: '0',
        KEY_PEPPER: pepper,
        KEY_KINDS: 'live,test',
        RATE_LIMIT_PER_ADDRESS: '0',
        RATE_LIMIT_PER_TOKEN: '0',
        ...patient,
        CHECK_RESPONSES: 'true',
        DRAIN_MS: '0',
        ...settings,
      });
      const log = openLog(config.LOG_LEVEL, {
        write: (line) => {
          if (secrets.test(line)) leaks.push(line);
          lines.push(JSON.parse(line) as Record<string, unknown>);
        },
      });
      const running = await serve(config, log);
      servers.push(running);
      const baseUrl = running.url + config.BASE_PATH;
      const checked = checkedFetch(config.BASE_PATH);
      return {
        ...running,
        lines,
        client: createClient({ baseUrl, fetch: checked, retries: 0 }),
        as: (token) => createClient({ baseUrl, token, fetch: checked, retries: 0 }),
        get: (path, init) => checked(baseUrl + path, init),
      };
    },
  };
};
