// Replays the operator's journal (operator/journal.ts) after a restore: takes the last state of each key, person and row that
// it names, and applies those that are not in effect in the database.
import { readFileSync } from 'node:fs';
import { isInstant } from '@commonhall/contract/text';
import type pg from 'pg';
import { crashPoint } from '../crash-points.ts';
import { inWriterTransaction } from '../db/connection/client.ts';
import { allowUser, eraseUser } from './erase.ts';
import type { Act } from './journal.ts';
import { lockJournal } from './journal.ts';
import { hashOf } from './people.ts';
import { checkTakedown, dropTakedown, putTakedown, storedKey } from './takedowns.ts';

type Entry = Act & { at: string };

const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** The keys in the line of each act besides `at` and `act`, with their checks. */
const shapes: Readonly<Record<Act['act'], Readonly<Record<string, (value: unknown) => boolean>>>> = {
  'key revoke': { key: isText },
  hide: { table: isText, key: isTexts, reason: (value) => value === null || isText(value) },
  unhide: { table: isText, key: isTexts },
  'erase user': { user: isText },
  'erase allow': { user: isText },
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Throws an error that says what is wrong. */
const entryOf = (line: Buffer): Entry => {
  const value = JSON.parse(utf8.decode(line)) as unknown;
  if (typeof value !== 'object' || value === null) throw new Error('it is not an object');
  const { at, act, ...rest } = value as Record<string, unknown>;
  const known = Object.keys(shapes).find((name) => name === act) as Act['act'] | undefined;
  if (known === undefined) throw new Error(`act must be one of ${Object.keys(shapes).join(', ')}`);
  if (!isInstant(at)) throw new Error('at must be a timestamp like 2026-01-31T12:00:00.000Z');
  for (const [name, isRight] of Object.entries(shapes[known]))
    if (!isRight(rest[name])) throw new Error(`${name} is missing or wrong`);
  const stray = Object.keys(rest).find((name) => !Object.hasOwn(shapes[known], name));
  if (stray !== undefined) throw new Error(`${stray} is no part of "${known}"`);
  const entry = value as Entry;
  if (entry.act === 'hide' || entry.act === 'unhide') checkTakedown(entry.table, entry.key);
  return entry;
};

const readJournal = (path: string): Entry[] => {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(
      `there is no journal at ${path}: bring it back from its backup. If there never was one, make an empty file there`,
    );
  }
  // latin1 gives one character per byte. Each line is decoded as UTF-8 by itself, so that an error has its line number.
  const lines = bytes.toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line, index) => {
    try {
      return entryOf(Buffer.from(line, 'latin1'));
    } catch (error) {
      throw new Error(
        `nothing was changed: line ${index + 1} of ${path} is not an act of the journal (${(error as Error).message}). It may be cut off: correct it, or remove it and repeat by hand what it was about`,
      );
    }
  });
};

interface Step {
  /** Selects a row when the step is not in effect. */
  due: [text: string, values: unknown[]];
  /** Puts the step into effect and returns the line to print. */
  act: (client: pg.Client) => Promise<string>;
}

const erasedStep = (user: string): Step => ({
  due: [`select where not exists (select from erasures where hash = decode($1, 'hex'))`, [hashOf(user)]],
  act: async (client) => {
    const rows = [...(await eraseUser(client, user)).values()].reduce((sum, each) => sum + each, 0);
    return `erased user ${user}: ${rows} rows`;
  },
});

const allowedStep = (user: string): Step => ({
  due: [`select from erasures where hash = decode($1, 'hex')`, [hashOf(user)]],
  act: async (client) => {
    await allowUser(client, user);
    return `allowed user ${user} to come back`;
  },
});

/** For a user who was erased and then allowed: revokes the keys from before the erasure, which had deleted them. */
const oldKeysStep = (user: string, erasedAt: string): Step => {
  const old = 'api_keys where user_id = $1 and created_at <= $2 and revoked_at is null';
  return {
    due: [`select from ${old}`, [user, erasedAt]],
    act: async (client) => {
      const { rowCount } = await client.query(
        `update api_keys set revoked_at = $2 where id in (select id from ${old})`,
        [user, erasedAt],
      );
      return `revoked ${rowCount} keys of user ${user} from before the erasure`;
    },
  };
};

const hiddenStep = ({ table, key, reason, at }: Entry & { act: 'hide' }): Step => ({
  due: [
    `select where not exists (
       select from takedowns
       where table_name = $1 and key = ${storedKey} and reason is not distinct from coalesce($3, reason))`,
    [table, key, reason],
  ],
  act: async (client) => {
    await putTakedown(client, table, key, reason, at);
    return `hidden: ${table} ${key.join(' ')}${reason === null ? '' : `; reason: ${reason}`}`;
  },
});

const shownStep = ({ table, key }: Entry & { act: 'unhide' }): Step => ({
  due: [`select from takedowns where table_name = $1 and key = ${storedKey}`, [table, key]],
  act: async (client) => {
    await dropTakedown(client, table, key);
    return `no longer hidden: ${table} ${key.join(' ')}`;
  },
});

const revokedStep = (key: string, at: string): Step => ({
  due: ['select from api_keys where id = $1 and revoked_at is null', [key]],
  act: async (client) => {
    await client.query('update api_keys set revoked_at = $2 where id = $1', [key, at]);
    return `revoked key ${key}`;
  },
});

/** One step for the last state of each subject. People first: erasing one also deletes takedowns and keys. */
const stepsOf = (entries: readonly Entry[]): Step[] => {
  const people = new Map<string, Step[]>();
  const erasedAt = new Map<string, string>();
  const rows = new Map<string, Entry & { act: 'hide' | 'unhide' }>();
  const keys = new Map<string, Step[]>();
  for (const entry of entries)
    if (entry.act === 'key revoke') keys.set(entry.key, [revokedStep(entry.key, entry.at)]);
    else if (entry.act === 'erase user') {
      people.set(entry.user, [erasedStep(entry.user)]);
      erasedAt.set(entry.user, entry.at);
      for (const [subject, { table, key }] of rows)
        if (table === 'timeline_items' && key[0] === entry.user) rows.delete(subject);
    } else if (entry.act === 'erase allow') {
      const before = erasedAt.get(entry.user);
      const keysToo = before === undefined ? [] : [oldKeysStep(entry.user, before)];
      people.set(entry.user, [allowedStep(entry.user), ...keysToo]);
    } else {
      const subject = JSON.stringify([entry.table, ...entry.key]);
      const last = rows.get(subject);
      // As `hide` does: without a reason the previous one stays.
      const isAgain = entry.act === 'hide' && entry.reason === null && last?.act === 'hide';
      rows.set(subject, isAgain ? { ...entry, reason: last.reason } : entry);
    }
  const takedowns = [...rows.values()].map((entry) => (entry.act === 'hide' ? hiddenStep(entry) : shownStep(entry)));
  return [...[...people.values()].flat(), ...takedowns, ...[...keys.values()].flat()];
};

const isDue = async (client: pg.Client, { due }: Step): Promise<boolean> =>
  (await client.query(...due)).rows.length > 0;

/** How many lines the journal has, and how many of its last states are not in effect. */
export const compareJournal = async (client: pg.Client, path: string): Promise<{ lines: number; due: number }> => {
  await client.query('begin');
  await lockJournal(client);
  const entries = readJournal(path);
  let due = 0;
  for (const step of stepsOf(entries)) if (await isDue(client, step)) due += 1;
  await client.query('commit');
  return { lines: entries.length, due };
};

/** Applies every step that is not in effect, in one transaction, and returns what it did. Leaves the journal alone. */
export const replayJournal = async (
  client: pg.Client,
  path: string,
  isDryRun: boolean,
): Promise<{ lines: number; done: string[] }> => {
  const replay = async () => {
    const entries = readJournal(path);
    const done: string[] = [];
    for (const step of stepsOf(entries)) {
      if (!(await isDue(client, step))) continue;
      done.push(await step.act(client));
      crashPoint('journal: step replayed');
    }
    return { lines: entries.length, done };
  };
  return inWriterTransaction(client, replay, isDryRun);
};
