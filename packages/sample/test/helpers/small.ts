// The sample data at scale `small`: its rows by table, typed with the columns that the tests read.
import { demoNow, demoPictures } from '../../src/cast.ts';
import { scales } from '../../src/scales.ts';
import { worldOf } from '../../src/world.ts';

interface Field {
  label: string;
  type: string;
  required: boolean;
  value: string;
}
/** A record of any table. A test reads only the columns that its table has. */
export interface AnyRow {
  [column: string]: unknown;
  id: string;
  slug: string;
  title: string;
  name: string;
  description: string;
  status: string;
  user_id: string;
  created_at: string;
  updated_at: string;
  details: {
    repository?: { platform: string; owner: string; name: string };
    collectionAddress?: string;
    collectionName?: string;
    message?: string;
    title?: string;
    image?: string | null;
  };
  fields: Field[] | null;
  field_values: Field[];
}

export const now = demoNow;
export const pictures = demoPictures;
export const world = worldOf({ seed: 42, scale: scales.small, now, pictures });

export const rowsOf = (table: string): AnyRow[] => [...(world[table]?.() ?? [])] as AnyRow[];
export const byId = (table: string): Map<string, AnyRow> => new Map(rowsOf(table).map((row) => [row.id, row]));

/** All strings in a JSON value. */
export function* stringsOf(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* stringsOf(part);
}
