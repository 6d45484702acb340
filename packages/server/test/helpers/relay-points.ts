// Crash points of the example relay. It is there to be copied, so it has no calls for tests: they are put into a copy.
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { example } from '../../../../test/helpers/outbox.ts';

/** The text after which the process ends itself; it occurs once. */
export const relayPoints = {
  'relay: lock taken': '  await waitForLock(db);\n',
  'relay: tail deleted': "await db.query('delete from outbox where message_id::text = any($1)', [ids]);\n",
  'relay: outbox read': 'await readOutbox(db, performance.now() >= markAt);\n',
  'relay: published': 'last = await publish(jetstream(nats), subject, last, [...rows, ...marks]);\n',
  'relay: rows deleted': '[rows.map(({ id }) => id), created, last],\n      );\n',
} as const;

export const relaySource = (): string => readFileSync(example('relay.ts'), 'utf8');

/** A copy of the relay that ends itself at the point, in the temporary folder of the test run. */
export const relayEndingAt = (name: keyof typeof relayPoints): string => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-relay-'));
  symlinkSync(fileURLToPath(new URL('../../../../node_modules', import.meta.url)), join(folder, 'node_modules'));
  const after = relayPoints[name];
  const ending = `process.stderr.write('crash point: ${name}\\n', () => process.kill(process.pid, 'SIGKILL'));\n    await new Promise(() => {});\n`;
  writeFileSync(
    join(folder, 'relay.ts'),
    relaySource().replace(after, (text) => text + ending),
  );
  return join(folder, 'relay.ts');
};
