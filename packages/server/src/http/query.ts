// Reads path and query values by the contract's own schemas. Nothing is coerced, clamped or ignored (gap G1, G18).

import { nearest } from '@commonhall/contract/nearest';
import type { Operation } from '@commonhall/contract/operation';
import { mostSearchWords, searchWords } from '@commonhall/contract/search-words';
import { controlCharacter, isInstant, lengthOf } from '@commonhall/contract/text';
import { invalid } from './errors.ts';

interface ValueSchema {
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  'x-instant'?: true;
  'x-required'?: true;
  'x-upwards'?: string[];
  'x-sorts'?: string[];
  'x-not-with'?: string;
  'x-names'?: string[];
  'x-units'?: string[];
  'x-needs-unit'?: string[];
  default?: unknown;
}

export interface ParsedQuery {
  /** Every value the handler reads, defaults filled in. */
  values: Record<string, unknown>;
  /** The names that the request has, in contract order. */
  given: string[];
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid('the query has a malformed escape; write text as UTF-8, percent-encoded');
  }
};

const readValue = (name: string, text: string, schema: ValueSchema): unknown => {
  const wrong = (allowed: string) => invalid(`parameter \`${name}\` must be ${allowed}`);
  if (schema.enum !== undefined) {
    if (!schema.enum.includes(text)) throw wrong(`one of ${schema.enum.join(', ')}`);
    return text;
  }
  if (schema.type === 'boolean') {
    if (text !== 'true' && text !== 'false') throw wrong('true or false');
    return text === 'true';
  }
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, minLength = 1, maxLength = 100 } = schema;
  if (schema.type === 'integer') {
    const number = /^(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= minimum && number <= maximum))
      throw wrong(`an integer from ${minimum} to ${maximum}, in decimal digits`);
    return number;
  }
  if (schema['x-instant'] === true) {
    if (!isInstant(text)) throw wrong('an instant in the form 2026-01-31T00:00:00.000Z');
    return text;
  }
  const { 'x-names': names, 'x-units': units = [] } = schema;
  if (names !== undefined) {
    const asked = text.split(',');
    if (asked.some((one) => !names.includes(one)))
      throw wrong(`one or more of ${names.join(', ')}, separated by commas`);
    if (new Set(asked).size < asked.length) throw wrong('names that differ; one is given twice');
    if (asked.filter((one) => units.includes(one)).length > 1)
      throw wrong(`names with at most one of ${units.join(', ')}`);
    return text;
  }
  const isSearch = name === 'q';
  const value = isSearch ? text.trim() : text;
  const length = lengthOf(value);
  if (length < minLength || length > maxLength) throw wrong(`text of ${minLength} to ${maxLength} characters`);
  if (value.includes('\0')) throw wrong('text without NUL characters');
  if (isSearch && searchWords(value).length > mostSearchWords) throw wrong(`at most ${mostSearchWords} words`);
  return value;
};

/** The part of a URL after the question mark. */
const queryStringOf = (url: string): string => {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
};

export const parseQuery = (query: Operation['query'], url: string): ParsedQuery => {
  const queryString = queryStringOf(url);
  const allowed = Object.keys(query);
  const texts = new Map<string, string>();
  for (const pair of queryString === '' ? [] : queryString.split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (!allowed.includes(name)) throw invalid(unknownName(name, allowed));
    if (texts.has(name)) throw invalid(`parameter \`${name}\` is given more than once; give it once`);
    texts.set(name, equals === -1 ? '' : decode(pair.slice(equals + 1)));
  }
  const given = allowed.filter((name) => texts.has(name));
  const values = Object.fromEntries(
    Object.entries(query).map(([name, schema]) => {
      const text = texts.get(name);
      const { default: byDefault, 'x-required': isRequired } = schema as ValueSchema;
      if (text === undefined && isRequired === true) throw invalid(`parameter \`${name}\` is required`);
      return [name, text === undefined ? byDefault : readValue(name, text, schema as ValueSchema)];
    }),
  );
  const { 'x-upwards': upwards } = (query.sortOrder ?? {}) as ValueSchema;
  if (upwards?.includes(String(values.sortBy)) === true && !texts.has('sortOrder')) values.sortOrder = 'asc';
  for (const name of given) checkTogether(name, query[name] as ValueSchema, values);
  return { values, given };
};

/** Parameters that contradict each other. Instants have one form, so their texts are in the order of time. */
const checkTogether = (name: string, schema: ValueSchema, values: Record<string, unknown>): void => {
  const { 'x-sorts': sorts, 'x-not-with': other } = schema;
  if (sorts !== undefined && !sorts.includes(String(values.sortBy)))
    throw invalid(
      `parameter \`${name}\` is a range of the sort key, which must be an instant: give \`sortBy\` ${sorts.join(' or ')}, not ${values.sortBy}`,
    );
  if (other !== undefined && values[other] !== undefined)
    throw invalid(
      `parameter \`${name}\` is not allowed with \`${other}\`, which has an order of its own; leave one of them out`,
    );
  const { 'x-needs-unit': units } = schema;
  if (
    units !== undefined &&
    !String(values.by)
      .split(',')
      .some((one) => units.includes(one))
  )
    throw invalid(`parameter \`${name}\` splits buckets of time: give \`by\` one of ${units.join(', ')}`);
  if (name === 'to' && values.from !== undefined && String(values.from) >= String(values.to))
    throw invalid('parameter `to` must be later than `from`: the range begins with `from` and ends before `to`');
};

const unknownName = (name: string, allowed: string[]): string => {
  // The name is the caller's text: it is shortened, and only ever sent inside a JSON string.
  const shown = name === '' ? 'an empty parameter name' : `unknown parameter \`${name.slice(0, 50)}\``;
  if (allowed.length === 0) return `${shown}; this operation takes no query parameters`;
  const suggestion = nearest(name, allowed);
  return `${shown};${suggestion === undefined ? '' : ` did you mean \`${suggestion}\`?`} allowed: ${allowed.join(', ')}`;
};

/** Path values: 1 to 100 characters, without control characters. The handler decides whether they name something. */
export const checkParams = (params: Record<string, string>): void => {
  for (const [name, value] of Object.entries(params)) {
    const length = lengthOf(value);
    if (length < 1 || length > 100 || controlCharacter.test(value))
      throw invalid(`path value \`${name}\` must be 1 to 100 characters, without control characters`);
  }
};
