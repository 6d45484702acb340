// Large collections that are shown again: their holders and badges follow in steps, each a transaction of its own, so that
// the writer lock is never held for long. Hiding is never in steps.
import type pg from 'pg';

/** The session of a writer that takes the steps afterwards. */
export const takesSteps = `set commonhall.in_steps = 'on'`;

/** About a tenth of a second each. */
const mostRows = 1500;

/** Takes the steps that are left, also those of a writer that was interrupted. */
export const takeSteps = async (client: pg.Client, isStopped = (): boolean => false): Promise<void> => {
  const take = async () =>
    (await client.query<{ more: boolean }>(`select show_some(${mostRows}) as more`)).rows[0]?.more === true;
  while (!isStopped() && (await take()));
};
