// The position: how far the changes of the platform have been applied.
import type pg from 'pg';
import type { Message, Origin } from './source.ts';

export interface Position {
  stream: string | null;
  streamCreatedAt: string | null;
  sequence: number;
  messageId: string | null;
  messageAt: string | null;
  loadSnapshot: string | null;
  isLoading: boolean;
}

export const readPosition = async (client: pg.Client): Promise<Position> => {
  const { rows } = await client.query<Omit<Position, 'sequence'> & { sequence: string }>(`
    select stream, stream_created_at as "streamCreatedAt", sequence, message_id as "messageId",
      message_at as "messageAt", load_snapshot as "loadSnapshot", is_loading as "isLoading"
    from feed`);
  const [row] = rows;
  if (row === undefined) throw new Error('the table feed has no row; run: commonhall migrate on a new database');
  return { ...row, sequence: Number(row.sequence) };
};

export interface Progress {
  last: Message;
  asOf: string | null;
  loadSnapshot: string | null;
  applied: number;
  setAside: number;
}
/** Runs in the transaction of the changes. Returns the new position, or null when another follower has moved the
 * position or taken the lease. */
export const writePosition = async (
  client: pg.Client,
  holder: string,
  from: Position,
  { last, asOf, loadSnapshot, applied, setAside }: Progress,
  stream: Origin,
): Promise<Position | null> => {
  const { rowCount } = await client.query({
    name: 'write position',
    text: `
      update feed set stream = $1, stream_created_at = $2, sequence = $3, message_id = $4, message_at = $5,
        as_of = greatest(as_of, $6), load_snapshot = $7, applied = applied + $8, set_aside = set_aside + $9
      where sequence = $10 and stream is not distinct from $11 and stream_created_at is not distinct from $12
        and exists (select from feed_lease where holder = $13)`,
    values: [
      ...[stream.name, stream.createdAt, last.sequence, last.id, last.at, asOf, loadSnapshot, applied, setAside],
      ...[from.sequence, from.stream, from.streamCreatedAt, holder],
    ],
  });
  if (rowCount === 0) return null;
  return {
    stream: stream.name,
    streamCreatedAt: stream.createdAt,
    sequence: last.sequence,
    messageId: last.id,
    messageAt: last.at,
    loadSnapshot,
    isLoading: false,
  };
};
