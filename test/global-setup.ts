// One PostgreSQL for all test files: the embedded one, or the server that TEST_DATABASE_URL names. The migrations run
// once, in a template database; each test file clones it.
import pg from 'pg';
import { migrate } from '../packages/server/src/db/schema/migrate.ts';
import { buildDocument } from '../release/document.ts';
import type { PrivatePostgres } from './postgres.ts';
import { startPostgres } from './postgres.ts';

const run = `commonhall_test_${process.pid}`;
let postgres: PrivatePostgres | undefined;

const asAdmin = async (url: string, statements: string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
};

export const globalSetup = async (): Promise<void> => {
  buildDocument(); // responses are compared with it
  const given = process.env.TEST_DATABASE_URL;
  postgres = given === undefined || given === '' ? await startPostgres() : undefined;
  const admin = postgres?.url ?? given ?? '';
  const template = new URL(admin);
  template.pathname = `/${run}`;
  await asAdmin(admin, [`create database ${run} template template0 encoding 'UTF8' locale 'C'`]);
  await migrate(template.href, (line) => console.error(line));
  // The server under test logs in as a member of commonhall_reader, never as the owner.
  await asAdmin(admin, [`create role ${run} login in role commonhall_reader`]);
  process.env.COMMONHALL_TEST_ADMIN_URL = admin;
  process.env.COMMONHALL_TEST_RUN = run;
};

export const globalTeardown = async (): Promise<void> => {
  const admin = process.env.COMMONHALL_TEST_ADMIN_URL;
  if (postgres !== undefined) await postgres.stop();
  else if (admin !== undefined)
    await asAdmin(admin, [`drop database if exists ${run} with (force)`, `drop role if exists ${run}`]);
};
