// Schemas that several resources share: texts with their limits (gap G15), timestamps, users, links, query parameters.

import type { Static, TProperties, TSchema } from 'typebox';
import { Type } from 'typebox';
import { mostSearchWords } from './search-words.ts';

export const record = <P extends TProperties>(properties: P, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description === undefined ? {} : { description }) });
/** A record that is a named component of the OpenAPI document. */
export const resource = <P extends TProperties>(title: string, properties: P, description: string) =>
  Type.Object(properties, { title, additionalProperties: false, description });
/** A copy of a schema with a description for its use here. A named resource also retains its own description. */
export const says = <S extends TSchema>(schema: S, text: string): S => {
  const isNamed = 'title' in schema;
  const said = { value: text, enumerable: !isNamed, writable: true, configurable: true };
  return Object.create(Object.getPrototypeOf(schema), {
    ...Object.getOwnPropertyDescriptors(schema),
    [isNamed ? '~says' : 'description']: said,
  }) as S;
};
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
export const listOf = <S extends TSchema>(schema: S) => Type.Array(schema, { maxItems: 100 });
/** Texts may be empty; keys, slugs and statuses may not (gap G16). */
const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) });
const key = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

const known = (meaning: string, values: readonly string[]) =>
  `${meaning} Known values: ${values.join(', ')}. Others may come.`;
/** An extensible enum: known values are documented, and clients must accept unknown ones (gap G11). */
export const openWord = <const K extends string>(values: readonly K[], meaning: string) =>
  Type.Unsafe<K | (string & {})>({ ...text(100, known(meaning, values)), 'x-extensible-enum': [...values] });
/** An extensible enum for the state of a resource, which is never empty. */
export const statusWord = <const K extends string>(values: readonly K[], meaning: string) =>
  Type.Unsafe<K | (string & {})>({ ...key(known(meaning, values)), 'x-extensible-enum': [...values] });
/** Any object, returned as the platform gave it. `usual` describes the keys that it usually has; none is guaranteed. */
export const openObject = <const K extends string>(usual: Readonly<Record<K, string>>, description?: string) => {
  const keys = Object.entries(usual).map(([name, what]) => [name, Type.Unknown({ description: `Usually ${what}.` })]);
  return Type.Unsafe<{ [P in K]?: unknown } & Record<string, unknown>>(
    Type.Partial(Type.Object(Object.fromEntries(keys) as Record<K, TSchema>), {
      additionalProperties: true,
      ...(description === undefined ? {} : { description }),
    }),
  );
};
export const choice = <const K extends string>(values: readonly K[], description?: string) =>
  Type.Unsafe<K>(Type.Enum([...values] as string[], description === undefined ? {} : { description }));

export const Id = key('Compared exactly and case-sensitive.');
export const Term = text(100);
export const Name = text(200);
export const Address = key('A contract address or wallet.');
export const Slug = key('A readable key for URLs, percent-encoded there. Looked up exactly and case-sensitive.');
export const ShortText = text(500);
export const LongText = text(50_000);
/** The text is Markdown (gap G24); its bytes are as the platform gave them. */
export const markdown = <S extends TSchema>(schema: S): S => ({ ...schema, contentMediaType: 'text/markdown' });
/** Recognizable wherever it is used: intake checks every URL of a record (gap G20). */
export const Url = Object.defineProperty(text(2048), '~url', { value: true });
export const isUrl = (schema: object): boolean => '~url' in schema;
export const SafeInteger = Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const Place = Type.Integer({ minimum: 1, maximum: 100 });
/** The claps of one user on one launch. */
export const Claps = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const instantPattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$';
export const Timestamp = Type.String({
  format: 'date-time',
  pattern: instantPattern,
  description: 'UTC, milliseconds, trailing Z.',
});

export const Flag = Type.Boolean();
export const Finite = Type.Number();
export const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', description: '32 bytes in hexadecimal digits.' });

export const Avatar = resource(
  'Avatar',
  { sm: says(Url, 'The URL of the small size.'), lg: says(Url, 'The URL of the large size.') },
  'A picture in two sizes.',
);
const tag = {
  tag: openWord(['DEVELOPER', 'BUILDER'], 'What the user is recognized as.'),
  tier: openWord(['SILVER', 'GOLD', 'PLATINUM'], 'The tier of this recognition.'),
};
export const UserTag = resource('UserTag', tag, 'A recognition of a user, with its tier.');
export const ContestUserTag = resource(
  'ContestUserTag',
  {
    ...tag,
    contestName: says(orNull(Name), 'The name of the contest in which the tag was earned; null when there is none.'),
  },
  'A recognition of a user, with its tier and its contest.',
);

/** The states of an account that is active, in any case. */
export const activeStates = ['ACTIVATED', 'active'] as const;
export const isActive = (status: string): boolean =>
  activeStates.some((state) => state.toLowerCase() === status.toLowerCase());

const user = {
  id: says(Id, 'The id of the user. Opaque.'),
  username: says(Slug, 'The unique name of the user in URLs. Case-sensitive.'),
  displayName: says(Name, 'The name to show. Not unique.'),
  avatar: says(orNull(Avatar), 'The picture of the user; null when there is none.'),
  bio: says(orNull(ShortText), 'What the user says about themselves; null when they say nothing.'),
  status: statusWord(activeStates, 'The state of the account.'),
};
export const UserSummary = resource(
  'UserSummary',
  {
    ...user,
    tags: says(listOf(UserTag), 'The recognitions of the user, each combination of tag and tier once; may be empty.'),
  },
  'A user as others show them. A user whose account is not active is still shown where they are embedded.',
);
export const ContestUserSummary = resource(
  'ContestUserSummary',
  { ...user, tags: says(listOf(ContestUserTag), 'The recognitions of the user, with their contests; may be empty.') },
  'A user whose tags also have the contest in which they were earned.',
);

const fieldType = openWord(['url', 'repository'], 'What kind of value the field takes.');
export const FieldDefinition = resource(
  'FieldDefinition',
  {
    label: says(Name, 'The name of the field, as people read it.'),
    type: fieldType,
    required: says(Flag, 'Whether a submission must fill in the field.'),
  },
  'A field that a submission fills in.',
);
export const FieldValue = resource(
  'FieldValue',
  {
    label: says(Name, 'The label of the field that is filled in.'),
    type: fieldType,
    value: says(LongText, 'What the author filled in.'),
  },
  'A field as a submission filled it in.',
);
export const AdditionalLink = resource(
  'AdditionalLink',
  { name: says(Name, 'What the link is called.'), value: says(Url, 'Where the link leads: a URL.') },
  'A link with its name.',
);

// Path parameters: any value of the right length is looked up; only a value that cannot be a key is rejected (gap G18).
export const pathValue = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: `${description} 1 to 100 characters, no control characters.`,
  });

// Query parameters. All are optional for the caller; those with a default are always present for the handler.
export const paging = {
  page: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
    description: 'The number of the page, from 1. A page past the end is a success without items.',
  }),
  pageSize: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'How many items a page has: 1 to 100, 20 by default.',
  }),
};
export const slicing = {
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'How many items to skip, 0 by default. Past the end is a success without items.',
  }),
  count: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'How many items to return: 1 to 100, 20 by default.',
  }),
};
/** `note`: a peculiarity of one of the fields. `upwards`: the fields that are sorted upwards by default. */
export const sorting = <const K extends string>(
  fields: readonly [K, ...K[]],
  byDefault: NoInfer<K>,
  note?: string,
  upwards: readonly NoInfer<K>[] = [],
) => ({
  sortBy: Type.Unsafe<K>(
    Type.Enum([...fields] as string[], {
      default: byDefault,
      description: `The field to sort by, ${byDefault} by default. Ties are broken by the key, so the order is total.${
        note === undefined ? '' : ` ${note}`
      }`,
    }),
  ),
  sortOrder: sortOrder('desc', upwards),
});
export const sortOrder = (byDefault: 'asc' | 'desc', upwards: readonly string[] = []) => {
  const sorts = upwards.map((field) => `\`sortBy=${field}\``).join(' and ');
  const [up, down] = byDefault === 'asc' ? ['the default', ''] : [sorts && `the default of ${sorts}`, 'the default'];
  const note = (text: string) => (text === '' ? '' : `, ${text}`);
  return Type.Unsafe<'asc' | 'desc'>(
    Type.Enum(['asc', 'desc'], {
      default: byDefault,
      ...(upwards.length === 0 ? {} : { 'x-upwards': [...upwards] }),
      description: `asc: smallest or oldest first${note(up)}; desc: largest or newest first${note(down)}${sorts === '' ? '' : ' otherwise'}.`,
    }),
  );
};
// Without `format`: generated clients would send another spelling of the same time.
const instantValue = (more: object) =>
  Type.Unsafe<string>({ type: 'string', pattern: instantPattern, 'x-instant': true, ...more });
/** Marks a parameter that the specification does not have. */
export const added = <S extends TSchema>(schema: S): S => ({ ...schema, 'x-addition': true });
export const addedEach = <P extends Record<string, TSchema>>(schemas: P): P =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, added(schema)])) as P;
/**
 * The range of a list in time order, for the key by which it is sorted. Where the order can be chosen: `sorts` are the
 * values of `sortBy` that it applies to. `not`: a filter with which the list has another order.
 */
export const range = (key: string, { sorts, not }: { sorts?: readonly string[]; not?: string } = {}) => {
  const of = sorts === undefined ? `\`${key}\`` : `the key of \`sortBy\` (${sorts.join(' or ')})`;
  const bound = (words: string) =>
    added(
      instantValue({
        'x-range': key,
        ...(sorts === undefined ? {} : { 'x-sorts': [...sorts] }),
        ...(not === undefined ? {} : { 'x-not-with': not }),
        description: `Only items for which ${of} is ${words} this instant, in the form in which responses write it.${
          not === undefined ? '' : ` Not together with \`${not}\`.`
        }`,
      }),
    );
  return { from: bound('at or after'), to: bound('before') };
};
/** Where an item has the value that a filter is compared with, like `topics[].slug`; null if items do not show it. */
type Matches = string | null;
const matching = (description: string, matches: Matches) => ({
  description,
  ...(matches === null ? {} : { 'x-matches': matches }),
});
export const filterWord = (description: string, matches: Matches) =>
  Type.String({ minLength: 1, maxLength: 100, ...matching(description, matches) });
export const filterFlag = (description: string, matches: Matches) => Type.Boolean(matching(description, matches));
export const filterChoice = <const K extends string>(values: readonly K[], description: string, matches: Matches) =>
  Type.Unsafe<K>(Type.Enum([...values] as string[], matching(description, matches)));
export const filterInstant = (description: string, matches: Matches) => instantValue(matching(description, matches));
/** `searched`: the texts of an item that are searched for each word, like `{owner}/{name}`. */
export const searchText = (description: string, searched: readonly string[]) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: `${description} Trimmed and split at whitespace into at most ${mostSearchWords} words: every word must be found. Not case-sensitive.`,
    'x-searches': [...searched],
  });

export type { TSchema };
export type UserSummary = Static<typeof UserSummary>;
