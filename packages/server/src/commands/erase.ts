// commonhall erase: deletes a person and everything that is theirs, and keeps them out; or allows them again.

import type { Config } from '../config.ts';
import { inWriterTransaction, withWriter } from '../db/connection/client.ts';
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
  withWriter(config.DATABASE_URL, async (client) => {
    const act = async () => {
      const found = await findOne(client, tableNamed('users'), [word], meaning);
      const user = found?.key[0] ?? word;
      const rows = await eraseUser(client, user);
      if (!isDryRun) await journal(client, config.JOURNAL_FILE, { act: 'erase user', user });
      return { id: user, label: found?.label ?? `users ${user}, who is not loaded`, rows };
    };
    const { id, label, rows: gone } = await inWriterTransaction(client, act, isDryRun);
    print(label);
    for (const [what, rows] of gone) print(`${what}: ${rows}`);
    print(
      isDryRun
        ? 'dry run: nothing was erased'
        : `kept out from now on: no change and no import brings ${id} back; to undo that: commonhall erase allow ${id}. The stream and the backups still have them: see docs/operating.md`,
    );
  });

export const allowErased = (config: Config, id: string, print: Print): Promise<void> =>
  withWriter(config.DATABASE_URL, async (client) => {
    await inWriterTransaction(client, async () => {
      if (!(await allowUser(client, id)))
        throw new Error(
          `no user with the id ${id} has been erased; only a hash of the id is kept, so a name does not help`,
        );
      await journal(client, config.JOURNAL_FILE, { act: 'erase allow', user: id });
    });
    print('allowed; the next change or import that has them brings them back');
  });
