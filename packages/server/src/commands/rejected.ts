// commonhall rejected: lists, shows, retries and drops the changes that could not be applied.
import { openApplier } from '../apply/batch.ts';
import type { RejectedChange } from '../apply/rejected.ts';
import { deleteRejected, readBodies, readRejected } from '../apply/rejected.ts';
import { readShape } from '../apply/shape.ts';
import type { Config } from '../config.ts';
import { withClient, writerBounds } from '../db/client.ts';

type Print = (line: string) => void;

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
        : `${waiting} waiting for another change, ${found.length - waiting} rejected; a later change of the same row replaces one; to delete one: commonhall rejected drop <id>`,
    );
  });

const mustFind = (ids: readonly string[], found: readonly RejectedChange[]): void => {
  const missing = ids.filter((id) => !found.some((each) => each.id === id));
  if (missing.length > 0)
    throw new Error(`there is no rejected change ${missing.join(', ')}; see: commonhall rejected list`);
};

export const showRejected = (config: Config, id: string, print: Print): Promise<void> =>
  withClient(config.DATABASE_URL, async (client) => {
    const found = await readRejected(client, [id]);
    mustFind([id], found);
    for (const each of found) print(lineOf(each));
    for (const { body } of await readBodies(client, [id])) print(body.toString());
  });

/** Retries these changes, or all without ids. Returns whether all of them were applied. */
export const retryRejected = (config: Config, ids: readonly string[], print: Print): Promise<boolean> =>
  withClient(
    config.DATABASE_URL,
    async (client) => {
      const shape = await readShape(client);
      await client.query('begin; select take_writer_lock()');
      const wanted = await readRejected(client, ids.length === 0 ? null : ids);
      mustFind(ids, wanted);
      const applier = await openApplier(client, shape);
      const numbers = wanted.map(({ id }) => id);
      await applier.retry(await readBodies(client, numbers), Number.POSITIVE_INFINITY);
      const left = await readRejected(client, numbers);
      await client.query('commit');
      for (const each of left) print(lineOf(each));
      print(`${wanted.length - left.length} applied, ${left.length} not`);
      return left.length === 0;
    },
    writerBounds,
  );

export const dropRejected = (config: Config, ids: readonly string[], print: Print): Promise<void> =>
  withClient(
    config.DATABASE_URL,
    async (client) => {
      mustFind(ids, await readRejected(client, ids));
      print(
        `${await deleteRejected(client, ids)} dropped; what they had hidden stays hidden until the platform sends the row again`,
      );
    },
    writerBounds,
  );
