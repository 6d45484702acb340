// commonhall erase: deletes a person and everything that is theirs, and keeps them out; or allows them again.

import type { Config } from '../config.ts';
import { withClient, writerBounds } from '../db/connection/client.ts';
import { allowUser, eraseUser } from '../operator/erase.ts';
import { journal } from '../operator/journal.ts';
import type { Meaning } from '../operator/named.ts';
import { findOne } from '../operator/named.ts';
import { tableNamed } from '../records/records.ts';

type Print = (line: string) => void;

/** `word`: the id or the username. */
export const erase = (
  config: Config,
  word: string,
  { isDryRun, ...meaning }: Meaning & { isDryRun: boolean },
  print: Print,
): Promise<void> =>
  withClient(
    config.DATABASE_URL,
    async (client) => {
      await client.query('begin; select take_writer_lock()');
      const user = await findOne(client, tableNamed('users'), [word], meaning);
      const id = user?.key[0] ?? word;
      const gone = await eraseUser(client, id);
      if (!isDryRun) await journal(client, config.JOURNAL_FILE, { act: 'erase user', user: id });
      await client.query(isDryRun ? 'rollback' : 'commit');
      print(user?.label ?? `users ${id}, who is not loaded`);
      for (const [what, rows] of gone) print(`${what}: ${rows}`);
      print(
        isDryRun
          ? 'dry run: nothing was erased'
          : `kept out from now on: no change and no import brings ${id} back; to undo that: commonhall erase allow ${id}. The stream and the backups still have them: see docs/operating.md`,
      );
    },
    writerBounds,
  );

export const allowErased = (config: Config, id: string, print: Print): Promise<void> =>
  withClient(
    config.DATABASE_URL,
    async (client) => {
      await client.query('begin; select take_writer_lock()');
      if (!(await allowUser(client, id)))
        throw new Error(
          `no user with the id ${id} has been erased; only a hash of the id is kept, so a name does not help`,
        );
      await journal(client, config.JOURNAL_FILE, { act: 'erase allow', user: id });
      await client.query('commit');
      print('allowed; the next change or import that has them brings them back');
    },
    writerBounds,
  );
