// The schemas that several nouns share: texts with their limits (gap G15), instants, users, links, query values.

import type { Static, TProperties, TSchema } from 'typebox';
import { Type } from 'typebox';

export const record = <P extends TProperties>(properties: P, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description === undefined ? {} : { description }) });
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
export const listOf = <S extends TSchema>(schema: S) => Type.Array(schema, { maxItems: 100 });
/** Text may be empty; keys, slugs and status words may not (gap G16). */
const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) });
const key = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

const known = (values: readonly string[]) => `Known values: ${values.join(', ')}. Others may come.`;
/** A word whose known values are documented and whose unknown values every client must accept (gap G11). */
export const openWord = <const K extends string>(values: readonly K[]) =>
  Type.Unsafe<K | (string & {})>(text(100, known(values)));
/** The same for the state of a resource, which is never empty. */
export const statusWord = <const K extends string>(values: readonly K[]) =>
  Type.Unsafe<K | (string & {})>(key(known(values)));
/** Any object, shown as the platform gave it. The keys are what it usually has, and what that usually is; none is promised. */
export const openObject = <const K extends string>(usual: Readonly<Record<K, string>>, description?: string) => {
  const keys = Object.entries(usual).map(([name, what]) => [name, Type.Unknown({ description: `Usually ${what}.` })]);
  return Type.Unsafe<{ [P in K]?: unknown } & Record<string, unknown>>(
    Type.Partial(Type.Object(Object.fromEntries(keys) as Record<K, TSchema>), {
      additionalProperties: true,
      ...(description === undefined ? {} : { description }),
    }),
  );
};
export const choice = <const K extends string>(values: readonly K[]) =>
  Type.Unsafe<K>(Type.Enum([...values] as string[]));

export const Id = key('Opaque.');
export const Term = text(100);
export const Name = text(200);
export const Address = key('A contract address or wallet.');
export const Slug = key('Stands in URLs, percent-encoded. Looked up exactly: case counts.');
export const ShortText = text(500);
export const LongText = text(50_000);
export const Url = text(2048);
export const SafeInteger = Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const Place = Type.Integer({ minimum: 1, maximum: 100 });
/** Of one user on one launch. */
export const Claps = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
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
export const ContestUserTag = record({ ...tag, contestName: orNull(Name) });

const user = {
  id: Id,
  username: Slug,
  displayName: Name,
  avatar: orNull(Avatar),
  bio: orNull(ShortText),
  status: statusWord(['ACTIVATED', 'active']),
};
export const UserSummary = record({ ...user, tags: listOf(UserTag) });
export const ContestUserSummary = record(
  { ...user, tags: listOf(ContestUserTag) },
  'A user whose tags carry the contest they were earned in.',
);

export const FieldDefinition = record({
  label: Name,
  type: openWord(['url', 'repository']),
  required: Type.Boolean(),
});
export const FieldValue = record({ label: Name, type: openWord(['url', 'repository']), value: LongText });
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
