// The cursor of /changes: an entry of the log with its nonce, and the place in a walk that a page has interrupted. A
// place is encrypted: it may be the key of a row that is not public.
import { createCipheriv, createDecipheriv, createHmac, hash } from 'node:crypto';
import { fed, publicVersion } from './below.ts';

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
/** A cursor whose place is not opened yet. */
export interface GivenCursor extends Omit<Cursor, 'walk'> {
  walk: { kind: Walk['kind']; step: number; sealed: string } | null;
}

/** SQL: the nonce of an entry `c` of the log. Servers that show other columns have others. */
export const nonceSql = `left(md5(c.id || ' ' || extract(epoch from c.at) || ' ${publicVersion}'), 8)`;

/** The tables of a walk through everything. People come with the records that name them. */
export const walked = fed.filter(({ name }) => name !== 'users');

const headOf = ({ id, nonce }: Pick<Cursor, 'id' | 'nonce'>, { kind, step }: Pick<Walk, 'kind' | 'step'>): string =>
  `${id}-${nonce}-${kind === 'all' ? 'a' : 'b'}${step}`;
const algorithm = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];
const keyOf = (secret: string): Buffer => Buffer.from(hash('sha256', secret), 'hex');

/** Equal places are equal texts, so that all callers get the same bytes. It belongs to its head. */
const seal = (place: readonly string[], head: string, secret: string): string => {
  const text = JSON.stringify(place);
  const iv = createHmac('sha256', secret).update(head).update(text).digest().subarray(0, ivBytes);
  const cipher = createCipheriv(algorithm, keyOf(secret), iv).setAAD(Buffer.from(head));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url');
};
/** Undefined: it was not sealed here, or not for this head. */
const open = (sealed: string, head: string, secret: string): readonly string[] | undefined => {
  const bytes = Buffer.from(sealed, 'base64url');
  const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(-tagBytes)];
  if (bytes.length <= ivBytes + tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, keyOf(secret), iv).setAAD(Buffer.from(head)).setAuthTag(tag);
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString();
    return JSON.parse(text) as string[];
  } catch {
    return undefined;
  }
};

export const cursorText = (cursor: Cursor, secret: string): string => {
  const { id, nonce, walk } = cursor;
  if (walk === null) return `${id}-${nonce}`;
  const head = headOf(cursor, walk);
  return `${head}-${walk.place === null ? '' : seal(walk.place, head, secret)}`;
};

/** Null: it is malformed. */
export const readCursor = (text: string): GivenCursor | null => {
  const [, id, nonce, kind, step, sealed = ''] =
    /^(\d{1,18})-([0-9a-f]{8})(?:-([ab])(\d{1,2})-([\w-]*))?$/.exec(text) ?? [];
  if (id === undefined || nonce === undefined) return null;
  return {
    id,
    nonce,
    walk: kind === undefined ? null : { kind: kind === 'a' ? 'all' : 'below', step: Number(step), sealed },
  };
};

/** Null: its place was not made here. */
export const openCursor = (given: GivenCursor, secret: string): Cursor | null => {
  if (given.walk === null) return { ...given, walk: null };
  const { sealed, ...walk } = given.walk;
  if (sealed === '') return { ...given, walk: { ...walk, place: null } };
  const place = open(sealed, headOf(given, walk), secret);
  return place === undefined ? null : { ...given, walk: { ...walk, place } };
};
