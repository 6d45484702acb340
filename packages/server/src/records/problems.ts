// What is wrong with a value, in plain words: what was given, what is allowed, what to do. A walker over the JSON Schema
// keywords that the record format uses. It runs only after the compiled check has failed, and finds all problems.
import { SocialAccount } from '@commonhall/contract/agents';
import { schemaFits } from '@commonhall/contract/check';
import { nearest } from '@commonhall/contract/nearest';
import { Digest, Timestamp } from '@commonhall/contract/shared';
import { lengthOf } from '@commonhall/contract/text';

/** The section of docs/gaps.md with the rule; `format` is for the type of a JSON value. */
type Gap = 'G6' | 'G10' | 'G11' | 'G13' | 'G15' | 'G16' | 'G17' | 'G18' | 'G20' | 'format';
/** A problem of one value. */
export interface ValueProblem {
  text: string;
  gap: Gap;
}
export interface Problem extends ValueProblem {
  /** The column, or the place inside it: `avatar.lg`, `tags[3].tier`. Empty: the record as a whole. */
  at: string;
}
/** The JSON Schema keywords of the record format. A test checks that it uses no others. */
export interface JsonSchema {
  type?: string;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: JsonSchema;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  description?: string;
}

/** How many problems of one record are reported; the others are counted. */
const most = 20;
const exampleInstant = '2026-11-02T00:00:00.000Z';

/** A value as JSON, of at most about 60 characters. */
export const quoted = (value: unknown): string => {
  if (typeof value === 'string')
    return JSON.stringify(value.length <= 60 ? value : `${[...value.slice(0, 120)].slice(0, 55).join('')}…`);
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 55)}…`;
};
export const codePoint = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
const listed = (words: readonly string[], last: string): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

/** One problem as text for people. */
export const problemText = ({ at, text }: Problem): string => (at === '' ? text : `${at}: ${text}`);

const columnOf = (at: string): string => at.split(/[.[]/, 1)[0] ?? '';

/** Collects problems. The text of a problem is built only when it is reported. */
export const collector = () => {
  const problems: Problem[] = [];
  const columns = new Set<string>();
  let found = 0;
  return {
    add: (at: string, gap: Gap, text: () => string): void => {
      found += 1;
      columns.add(columnOf(at));
      if (found <= most) problems.push({ at, gap, text: text() });
    },
    /** Whether a column, or a place inside it, has a problem already. */
    has: (column: string): boolean => columns.has(column),
    all: (): Problem[] =>
      found <= most ? problems : [...problems, { at: '', gap: problems[0]!.gap, text: `and ${found - most} more` }],
  };
};
export type Collector = ReturnType<typeof collector>;

const hexDigits = (Digest as JsonSchema).pattern ?? '';
const upperCase = (SocialAccount.properties.platform as JsonSchema).pattern ?? '';
/** Messages for the patterns of the record format. */
const patterns: Record<string, (given: string) => ValueProblem> = {
  [hexDigits]: (given) => ({
    text: `${given} is not a hash; write 64 hexadecimal digits, 0 to 9 and a to f`,
    gap: 'G6',
  }),
  [upperCase]: (given) => ({
    text: `${given} has lower-case letters; write it in upper case`,
    gap: 'G17',
  }),
};

/** As the compiled check: with the year 0 and the leap second, which the rule of the column rejects. */
const isTimestamp = schemaFits(Timestamp);

const kindOf = ({ type, enum: values, format }: JsonSchema): string => {
  if (values !== undefined) return 'one of the allowed words';
  if (format === 'date-time') return 'an instant';
  const kinds: Record<string, string> = {
    string: 'a text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'an array',
    object: 'an object',
  };
  return kinds[type ?? ''] ?? 'a value';
};
const wantedOf = (schema: JsonSchema): string => {
  const { type, enum: values, format, pattern, properties = {} } = schema;
  if (values !== undefined) return listed(values.map(quoted), 'or');
  if (format === 'date-time') return `it like ${exampleInstant}`;
  if (pattern === hexDigits) return '64 hexadecimal digits, 0 to 9 and a to f';
  if (type === 'string')
    return schema.minLength === undefined
      ? `a text of at most ${schema.maxLength} characters`
      : `a text of ${schema.minLength} to ${schema.maxLength} characters`;
  if (type === 'integer') return `a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (type === 'array') return `an array of at most ${schema.maxItems} elements`;
  if (type === 'object' && schema.additionalProperties === false)
    return `an object with the keys ${listed(Object.keys(properties), 'and')}`;
  return kindOf(schema);
};
const hasType = (value: unknown, type: string | undefined): boolean => {
  if (type === undefined) return true;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
};

/** The name of a key inside `at`. */
const keyAt = (at: string, key: string): string => {
  if (!/^\w{1,100}$/.test(key)) return at === '' ? quoted(key) : `${at}[${quoted(key)}]`;
  return at === '' ? key : `${at}.${key}`;
};

interface Walk {
  found: Collector;
  /** The name of the table. */
  table: string;
  /** Columns whose values are not quoted in a message. */
  unquoted: ReadonlySet<string>;
}

const walkString = (
  { found }: Walk,
  schema: JsonSchema,
  value: string,
  at: string,
  given: () => string,
  or: string,
) => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format, pattern } = schema;
  if (format === 'date-time') {
    if (!isTimestamp(value))
      found.add(at, 'G16', () => `${given()} is not an instant; write it like ${exampleInstant}${or}`);
    return;
  }
  const length = lengthOf(value);
  if (length < minLength) found.add(at, 'G16', () => `is empty; write ${wantedOf(schema)}${or}`);
  if (length > maxLength)
    found.add(at, 'G15', () => `${given()} has ${length} characters; at most ${maxLength} are allowed; shorten it`);
  if (pattern !== undefined && !new RegExp(pattern).test(value)) {
    const wrong = patterns[pattern]?.(given()) ?? { text: `${given()} has a form that is not allowed`, gap: 'format' };
    found.add(at, wrong.gap, () => wrong.text);
  }
};

const walkObject = (walk: Walk, schema: JsonSchema, value: Record<string, unknown>, at: string): void => {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const known = Object.keys(properties);
  for (const key of known) {
    const place = keyAt(at, key);
    if (Object.hasOwn(value, key)) walkValue(walk, properties[key] ?? {}, value[key], place);
    else if (required.includes(key)) walk.found.add(place, 'G16', () => 'is missing; it is required');
  }
  if (additionalProperties) return;
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(properties, key)) continue;
    walk.found.add(keyAt(at, key), 'G17', () => {
      const near = nearest(key, known);
      const what = at === '' ? `a column of ${walk.table}` : `a key of ${at}`;
      return `is not ${what}; ${near === undefined ? '' : `did you mean ${near}? Otherwise `}leave it out`;
    });
  }
};

const walkValue = (walk: Walk, given: JsonSchema, value: unknown, at: string): void => {
  const { found } = walk;
  // A value that may be null is otherwise checked against the schema of the value.
  const isNullable = given.anyOf !== undefined;
  const schema = given.anyOf?.find(({ type }) => type !== 'null') ?? given;
  if (isNullable && value === null) return;
  const or = isNullable ? ' or null' : '';
  const shown = (): string => (walk.unquoted.has(columnOf(at)) ? 'the value' : quoted(value));
  if (schema.enum !== undefined) {
    const gap = at === 'visibility' ? 'G11' : 'G17';
    if (!schema.enum.includes(value))
      found.add(at, value === null ? 'G16' : gap, () => `${shown()} is not allowed; write ${wantedOf(schema)}${or}`);
    return;
  }
  if (!hasType(value, schema.type)) {
    const gap = schema.additionalProperties === true ? 'G10' : value === null ? 'G16' : 'format';
    found.add(at, gap, () => `${shown()} is not ${kindOf(schema)}; write ${wantedOf(schema)}${or}`);
    return;
  }
  if (typeof value === 'string') walkString(walk, schema, value, at, shown, or);
  else if (typeof value === 'number') {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
    if (value < minimum || value > maximum)
      found.add(at, 'G15', () => {
        const how = value < minimum ? 'small' : 'large';
        return `${shown()} is too ${how}; write ${wantedOf(schema)}${or}`;
      });
  } else if (Array.isArray(value)) {
    const { maxItems = Number.POSITIVE_INFINITY, items = {} } = schema;
    if (value.length > maxItems)
      found.add(at, 'G15', () => `has ${value.length} elements; at most ${maxItems} are allowed; remove some`);
    // Only the allowed number of items is checked: an array that is too long may be very long.
    value.slice(0, maxItems).forEach((item, index) => void walkValue(walk, items, item, `${at}[${index}]`));
  } else if (typeof value === 'object' && value !== null) {
    walkObject(walk, schema, value as Record<string, unknown>, at);
  }
};

/** Adds every problem that a record has under the schema of its table. */
export const findProblems = (schema: JsonSchema, table: string, unquoted: ReadonlySet<string>) => {
  return (found: Collector, value: unknown): void => {
    if (hasType(value, 'object')) walkObject({ found, table, unquoted }, schema, value as Record<string, unknown>, '');
    else
      found.add(
        '',
        'format',
        () => `${quoted(value)} is not an object; write one record, {…}, with a key for each column`,
      );
  };
};
