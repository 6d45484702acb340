// Reads one JSON document. Pages are read in page.ts.
import type { Db } from './connection/database.ts';
import type { Sql } from './sql.ts';

export interface JsonResult {
  json: string;
  /** Milliseconds until the clock alone changes the document; null when it never does. */
  changesInMs: number | null;
}

export const numberOf = (text: string | null | undefined): number | null =>
  typeof text === 'string' ? Number(text) : null;

/** For statements that return a row whatever the data. */
export const expectRow = <T>(value: T | null): T => {
  if (value === null) throw new Error('a statement that must return a row returned none');
  return value;
};

/** One JSON document and, where the clock changes it, the milliseconds until then; or null. */
export const readOne = async (db: Db, statement: Sql): Promise<JsonResult | null> => {
  const [row] = await db.query('point', statement);
  const [json, changesInMs] = row ?? [];
  return typeof json === 'string' ? { json, changesInMs: numberOf(changesInMs) } : null;
};
