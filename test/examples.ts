// Makes the examples of the OpenAPI document: real responses and real errors of a server with the sample data. The
// clock is fixed, so the same sources produce the same bytes.
import assert from 'node:assert/strict';
import pg from 'pg';
import { loadSample, sampleSettings } from '../demo/load.ts';
import { registrationFilePath } from '../packages/contract/src/agents.ts';
import { operations } from '../packages/contract/src/index.ts';
import type { Examples } from '../packages/contract/src/openapi-responses.ts';
import type { ExampleCaller, Operation } from '../packages/contract/src/operation.ts';
import { statusPath } from '../packages/contract/src/status.ts';
import { urlOf } from '../packages/contract/src/url.ts';
import { demoKeys, demoNow } from '../packages/sample/src/cast.ts';
import { serve } from '../packages/server/src/commands/serve.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { openLog } from '../packages/server/src/log.ts';
import { patient } from './helpers/process.ts';
import { startPostgres } from './postgres.ts';

const start = (url: string, perAddress: number) => {
  const config = readConfig({
    ...sampleSettings(url),
    PORT: '0',
    PUBLIC_URL: 'https://api.commonhall.example',
    RATE_LIMIT_PER_ADDRESS: String(perAddress),
    CHECK_RESPONSES: 'true', // an example that does not fit the contract is rejected
    ...patient,
    LOG_LEVEL: 'silent',
  });
  return serve(config, openLog(config.LOG_LEVEL, process.stderr));
};

const credentialOf = (caller: ExampleCaller | undefined): Record<string, string> =>
  caller === undefined ? {} : { authorization: `Bearer ${demoKeys[caller].key}` };

const asker =
  (url: string) =>
  async (path: string, status: number, headers: Record<string, string> = {}): Promise<unknown> => {
    const response = await fetch(url + path, { headers });
    const body: unknown = await response.json();
    assert.equal(response.status, status, `${path.slice(0, 100)}: ${JSON.stringify(body).slice(0, 300)}`);
    return body;
  };

/** The response when the rate limit is used up. A search for one letter costs 20 units and its database time. */
const limitedAnswer = async (url: string): Promise<unknown> => {
  for (let tries = 0; tries < 10; tries++) {
    const response = await fetch(`${url}/collections?q=a`);
    // The seconds depend on how fast this machine is.
    if (response.status === 429) return JSON.parse((await response.text()).replace(/again in \d+ s/, 'again in 60 s'));
  }
  throw new Error('the limit was never reached');
};

const answersOf = async (ask: ReturnType<typeof asker>): Promise<Record<string, unknown>> => {
  const answers: Record<string, unknown> = {};
  for (const { id, example, exampleCaller } of Object.values<Operation>(operations))
    answers[id] = await ask(urlOf('', id, example), 200, credentialOf(exampleCaller));
  answers.getRegistrationFile = await ask(
    registrationFilePath.replace('{name}', operations.getAgent.example.name),
    200,
  );
  answers.getStatus = await ask(statusPath, 200);
  return answers;
};

export const makeExamples = async (): Promise<Examples> => {
  const postgres = await startPostgres();
  const owner = new pg.Client(postgres.url);
  owner.on('error', () => {}); // the connection breaks when PostgreSQL is stopped for the last failure
  try {
    await loadSample(postgres.url, { scale: 'small', pictures: 'https://pictures.commonhall.example' }, () => {});
    await owner.connect();
    await owner.query(`
      select take_writer_lock();
      update feed set as_of = '${demoNow}'::timestamptz - interval '186 milliseconds'`);
    const { rows } = await owner.query<{ id: string }>(
      'select id from bounties where is_public and not submissions_visible order by id limit 1',
    );
    const [server, strict] = [await start(postgres.url, 0), await start(postgres.url, 60)];
    try {
      const ask = asker(server.url);
      const answers = await answersOf(ask);
      const { listSponsorBountySubmissions: forMembers, getScoreTiers } = operations;
      const failures: Record<string, unknown> = {
        VALIDATION_ERROR: await ask('/collections?limit=5', 400),
        UNAUTHORIZED: await ask('/bounties/me', 401),
        FORBIDDEN: await ask(urlOf('', forMembers.id, forMembers.example), 403, credentialOf('stranger')),
        SUBMISSIONS_HIDDEN: await ask(`/bounties/${rows[0]?.id}/submissions`, 403),
        NOT_FOUND: await ask('/agents/nobody', 404),
        RATE_LIMITED: await limitedAnswer(strict.url),
        VALIDATION_ERROR_414: await ask(`/collections?q=${'a'.repeat(9000)}`, 414),
        VALIDATION_ERROR_431: await ask('/collections', 431, { 'x-padding': 'a'.repeat(100_000) }),
      };
      // Last, break the database: first drop a table that a statement needs, then stop PostgreSQL.
      await owner.query('drop table score_tiers cascade');
      failures.INTERNAL_ERROR = await ask(getScoreTiers.path, 500);
      await postgres.stop();
      failures.SERVICE_UNAVAILABLE = await ask('/collections', 503);
      return { operations: answers, failures };
    } finally {
      await Promise.all([server.stop(), strict.stop()]);
    }
  } finally {
    await owner.end().catch(() => {});
    await postgres.stop();
  }
};
