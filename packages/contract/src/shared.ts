// The schemas that several nouns share: texts with their limits (gap G15), instants, users, links, query values.

import type { Static, TProperties, TSchema } from 'typebox';
import { Type } from 'typebox';

export const record = <P extends TProperties>(properties: P, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description === undefined ? {} : { description }) });
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const listOf = <S extends TSchema>(schema: S) => Type.Array(schema, { maxItems: 100 });
const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description === undefined ? {} : { description }) });

/** A word whose known values are documented and whose unknown values every client must accept (gap G11). */
export const openWord = <const K extends string>(known: readonly K[]) =>
  Type.Unsafe<K | (string & {})>(
    Type.String({ minLength: 1, maxLength: 100, description: `Known values: ${known.join(', ')}. Others may come.` }),
  );
export const choice = <const K extends string>(values: readonly K[]) =>
  Type.Unsafe<K>(Type.Enum([...values] as string[]));

export const Id = text(100, 'Opaque.');
export const Name = text(100);
export const Address = text(100);
export const Slug = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' });
export const Title = text(200);
export const ShortText = text(500);
export const LongText = text(50_000);
export const Url = text(2048);
export const SafeInteger = Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const Place = Type.Integer({ minimum: 1, maximum: 100 });
export const Timestamp = Type.String({
  format: 'date-time',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
  description: 'UTC, milliseconds, trailing Z.',
});

export const Flag = Type.Boolean();
export const Finite = Type.Number();
export const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', description: '32 bytes in hexadecimal digits.' });

export const Avatar = record({ sm: Url, lg: Url });
const tag = { tag: openWord(['DEVELOPER', 'BUILDER']), tier: openWord(['SILVER', 'GOLD', 'PLATINUM']) };
export const UserTag = record(tag);
export const ContestUserTag = record({ ...tag, contestName: orNull(Title) });

const user = {
  id: Id,
  username: Slug,
  displayName: Name,
  avatar: orNull(Avatar),
  bio: orNull(ShortText),
  status: openWord(['ACTIVATED', 'active']),
};
export const UserSummary = record({ ...user, tags: listOf(UserTag) });
export const ContestUserSummary = record(
  { ...user, tags: listOf(ContestUserTag) },
  'A user whose tags carry the contest they were earned in.',
);

export const FieldDefinition = record({
  label: Title,
  type: openWord(['url', 'repository']),
  required: Type.Boolean(),
});
export const FieldValue = record({ label: Title, type: openWord(['url', 'repository']), value: Url });
export const AdditionalLink = record({ name: Name, value: Url });

// Path values: whatever has the right length is looked up; only what cannot be a key at all is refused (gap G18).
export const pathValue = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, description: `${description} No control characters.` });

// Query values. All are optional for the caller; those with a default are always present for the handler.
export const paging = {
  page: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 }),
  pageSize: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
};
export const slicing = {
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: 'Items to skip.' }),
  count: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items to return.' }),
};
export const sorting = <const K extends string>(fields: readonly [K, ...K[]], byDefault: NoInfer<K>) => ({
  sortBy: Type.Unsafe<K>(Type.Enum([...fields] as string[], { default: byDefault })),
  sortOrder: Type.Unsafe<'asc' | 'desc'>(Type.Enum(['asc', 'desc'], { default: 'desc' })),
});
export const filterWord = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });
export const searchText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, description: `${description} Case does not matter; trimmed first.` });

export type { TSchema };
export type UserSummary = Static<typeof UserSummary>;
