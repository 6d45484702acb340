// commonhall rejected: lists, shows, retries and drops the changes that could not be applied.

import type { Config } from '../config.ts';
import { inWriterTransaction, withClient, withWriter } from '../db/connection/client.ts';
import { openApplier } from '../feed/batch.ts';
import type { RejectedChange } from '../feed/rejected.ts';
import { deleteRejected, readBodies, readRejected } from '../feed/rejected.ts';
import { readRelations } from '../feed/relations.ts';
import { findNamed, theOnly } from '../operator/named.ts';
import { tableNamed } from '../records/records.ts';

type Print = (line: string) => void;
type Client = Parameters<typeof readRejected>[0];

const lineOf = ({ id, table, key, receivedAt, isWaiting, reason }: RejectedChange): string =>
  `${id}  ${table ?? '?'} ${key?.join(' ') ?? '?'}  ${receivedAt}  ${isWaiting ? 'waiting' : 'rejected'}: ${reason}`;

export const listRejected = (config: Config, print: Print): Promise<void> =>
  withClient(config.DATABASE_URL, async (client) => {
    const found = await readRejected(client, null);
    for (const each of found) print(lineOf(each));
    const waiting = found.filter(({ isWaiting }) => isWaiting).length;
    print(
      found.length === 0
        ? 'every change was applied'
        : `${waiting} waiting for another change, ${found.length - waiting} rejected; a later change of the same row replaces one; to delete one: commonhall rejected drop <number>`,
    );
  });

/** The changes with these numbers, or the one of the row that a table and words name. Throws when one is missing. */
const findRejected = async (client: Client, words: readonly string[]): Promise<RejectedChange[]> => {
  const [first = '', ...rest] = words;
  if (/^\d+$/.test(first)) {
    const wrong = words.find((word) => !/^\d{1,18}$/.test(word));
    if (wrong !== undefined) throw new Error(`${wrong} is not the number of a change; see: commonhall rejected list`);
    const found = await readRejected(client, words);
    const missing = words.filter((id) => !found.some((each) => each.id === String(BigInt(id))));
    if (missing.length > 0)
      throw new Error(`there is no rejected change ${missing.join(', ')}; see: commonhall rejected list`);
    return found;
  }
  const table = tableNamed(first);
  const keys = [...(await findNamed(client, table, rest)).map(({ key }) => key), rest].map((key) => key.join('\x1f'));
  const found = (await readRejected(client, null)).filter(
    (each) => each.table === table.name && each.key !== null && keys.includes(each.key.join('\x1f')),
  );
  if (found.length === 0)
    throw new Error(`there is no rejected change of ${words.join(' ')}; see: commonhall rejected list`);
  theOnly(
    rest,
    found.map((each) => ({ label: lineOf(each) })),
    'by its number',
  );
  return found;
};

export const showRejected = (config: Config, words: readonly string[], print: Print): Promise<void> =>
  withClient(config.DATABASE_URL, async (client) => {
    const found = await findRejected(client, words);
    const bodies = await readBodies(
      client,
      found.map(({ id }) => id),
    );
    for (const each of found) {
      print(lineOf(each));
      print(bodies.find(({ id }) => id === each.id)?.body.toString() ?? '');
    }
  });

/** Retries changes, or all of them without words. Returns whether all of them were applied. */
export const retryRejected = (config: Config, words: readonly string[], print: Print): Promise<boolean> =>
  withWriter(config.DATABASE_URL, async (client) => {
    const relations = await readRelations(client);
    const { wanted, left } = await inWriterTransaction(client, async () => {
      const tried = words.length === 0 ? await readRejected(client, null) : await findRejected(client, words);
      const applier = await openApplier(client, relations);
      const numbers = tried.map(({ id }) => id);
      await applier.retry(await readBodies(client, numbers), Number.POSITIVE_INFINITY);
      return { wanted: tried, left: await readRejected(client, numbers) };
    });
    for (const each of left) print(lineOf(each));
    print(`${wanted.length - left.length} applied, ${left.length} not`);
    return left.length === 0;
  });

export const dropRejected = (config: Config, words: readonly string[], print: Print): Promise<void> =>
  withWriter(config.DATABASE_URL, async (client) => {
    const ids = (await findRejected(client, words)).map(({ id }) => id);
    print(
      `${await deleteRejected(client, ids)} dropped; what they had hidden stays hidden until the platform sends the row again`,
    );
  });
