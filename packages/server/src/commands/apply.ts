// commonhall apply <file | ->: applies a file of changes in one transaction. Returns whether every change was applied.
import { createReadStream, existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { withWriter } from '../db/connection/client.ts';
import { endTurn, takeLoadTurn } from '../db/schema/turn.ts';
import { applyFile } from '../feed/file.ts';
import { loadLines } from '../load/report.ts';
import { visibilityReport } from '../visibility/reasons.ts';

export const apply = (config: Config, place: string, print: (line: string) => void): Promise<boolean> =>
  withWriter(config.DATABASE_URL, async (client) => {
    if (place !== '-' && !existsSync(place)) throw new Error(`there is no file ${place}`);
    await takeLoadTurn(client, config.DATABASE_URL);
    const { read, tally, left } = await applyFile(client, place === '-' ? process.stdin : createReadStream(place));
    await endTurn(client, 'load');
    for (const { table, key, reason, isWaiting } of left)
      print(`${isWaiting ? 'waiting' : 'rejected'} ${table ?? '?'} ${key?.join(' ') ?? '?'}: ${reason}`);
    const touched = [...tally.tables.keys()];
    const loaded = [...tally.tables].map(([table, { deleted, ...written }]) => {
      const rejected = left.filter((each) => each.table === table.name).length;
      const changes = written.inserted + written.changed + written.unchanged + deleted;
      return { table, counts: { ...written, read: changes + rejected, rejected }, deleted };
    });
    for (const line of loadLines(loaded, await visibilityReport(client, touched))) print(line);
    print(
      `${read} changes, ${left.length} kept as rejected or waiting${left.length > 0 ? '; see: commonhall rejected' : ''}`,
    );
    return left.length === 0;
  });
