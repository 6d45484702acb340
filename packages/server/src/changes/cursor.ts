// The cursor of /changes: an entry of the log with its nonce, and the place in a walk that a page has interrupted.
import { isInstant } from '@commonhall/contract/text';
import type { Step } from './below.ts';
import { branchesOf, fed } from './below.ts';

/** A walk through all records, or through what is below the row of the entry. */
export interface Walk {
  kind: 'all' | 'below';
  /** Which table of it. */
  step: number;
  /** After this row; null: from the first. */
  place: readonly string[] | null;
}
export interface Cursor {
  /** Of an entry of the log. */
  id: string;
  /** Differs where a restored database gave the same id to another change. */
  nonce: string;
  /** Null: after the entry. */
  walk: Walk | null;
}

/** SQL: the nonce of an entry `c` of the log. */
export const nonceSql = `left(md5(c.id || ' ' || extract(epoch from c.at)), 8)`;

/** The tables of a walk through everything. People come with the records that name them. */
export const walked = fed.filter(({ name }) => name !== 'users');

const letters = { all: 'a', below: 'b' } as const;
const encode = (place: readonly string[] | null): string =>
  place === null ? '' : Buffer.from(JSON.stringify(place)).toString('base64url');

export const cursorText = ({ id, nonce, walk }: Cursor): string =>
  walk === null ? `${id}-${nonce}` : `${id}-${nonce}-${letters[walk.kind]}${walk.step}-${encode(walk.place)}`;

const isValue = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 1000 && value.isWellFormed() && !value.includes('\0');
const readPlace = (text: string): readonly string[] | null | undefined => {
  if (text === '') return null;
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(place) && place.length > 0 && place.every(isValue) ? place : undefined;
  } catch {
    return undefined;
  }
};

/** Null: it is malformed. Whether a place fits its walk is decided where the walk is known. */
export const readCursor = (text: string): Cursor | null => {
  const [, id, nonce, kind, step, key = ''] =
    /^(\d{1,18})-([0-9a-f]{8})(?:-([ab])(\d{1,2})-([\w-]*))?$/.exec(text) ?? [];
  if (id === undefined || nonce === undefined) return null;
  if (kind === undefined) return { id, nonce, walk: null };
  const place = readPlace(key);
  if (place === undefined) return null;
  const walk: Walk = { kind: kind === 'a' ? 'all' : 'below', step: Number(step), place };
  if (walk.kind === 'all' && !fits(place, stepsOf(walk.step))) return null;
  return { id, nonce, walk };
};

/** The order of a table in the walk through everything: by its key. */
export const stepsOf = (step: number): readonly Step[] | undefined =>
  walked[step]?.key.map((name): Step => [name, 'text']);
/** The order of a branch below a row of a table. */
export const branchSteps = (table: string, step: number): readonly Step[] | undefined => {
  const branch = branchesOf(table)[step];
  return branch && [...(branch.through?.order ?? []), ...branch.child.order];
};

const isRight = { text: () => true, instant: isInstant, integer: (value: string) => /^\d{1,4}$/.test(value) };
export const fits = (place: readonly string[] | null, steps: readonly Step[] | undefined): boolean =>
  steps !== undefined &&
  (place === null ||
    (place.length === steps.length && steps.every(([, kind], n) => isRight[kind](place[n] as string))));
