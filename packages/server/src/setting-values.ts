// Parsers from the text of a setting to its value. Each throws an error that says what is allowed.
import { isIP } from 'node:net';

export const text = (value: string): string => value;
export const integer =
  (minimum: number, maximum: number) =>
  (value: string): number => {
    const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= minimum && number <= maximum)) throw new Error(`must be an integer from ${minimum} to ${maximum}`);
    return number;
  };
export const flag = (value: string): boolean => {
  if (value !== 'true' && value !== 'false') throw new Error('must be true or false');
  return value === 'true';
};
export const oneOf =
  <const W extends string>(words: readonly W[]) =>
  (value: string): W => {
    const word = words.find((known) => known === value);
    if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`);
    return word;
  };
export const isPostgres = (value: string): boolean => /^postgres(ql)?:\/\//.test(value);
export const databaseUrl = (value: string): string => {
  if (!URL.canParse(value) || !isPostgres(value))
    throw new Error('must be like postgres://user:password@host:5432/database');
  return value;
};
export const databaseUrls = (value: string): readonly string[] =>
  value.split(',').map((url) => databaseUrl(url.trim()));
export const redisUrl = (value: string): string => {
  if (!URL.canParse(value) || !/^rediss?:\/\//.test(value))
    throw new Error('must be like redis://host:6379 or rediss://user:password@host:6379');
  return value;
};
export const feedUrl = (value: string): string => {
  if (isPostgres(value)) return databaseUrl(value);
  if (!/^(nats|tls):\/\/([^@/\s]+@)?[^@/\s]+\/?$/.test(value))
    throw new Error(
      'must be like postgres://commonhall_feed@host/database, nats://host:4222 or tls://user:password@one:4222,two:4222',
    );
  return value;
};
/** The name of a table, with or without its schema. */
export const tableName = (value: string): string => {
  if (!/^([a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,53}$/.test(value))
    throw new Error('must be the name of a table in lower case, like outbox or events.outbox');
  return value;
};
export const webUrl = (value: string): string => {
  if (!URL.canParse(value) || !/^https?:\/\/[^?#]+$/.test(value))
    throw new Error('must be an http or https URL without a query');
  return value.replace(/\/+$/, '');
};
export const origins = (value: string): readonly string[] => {
  const list = value.split(',').map((one) => one.trim());
  const isOrigin = (one: string) => one === 'https:' || (/^https?:\/\//.test(one) && URL.parse(one)?.origin === one);
  if (!list.every(isOrigin))
    throw new Error('must be origins like https://img.example.org, or https:, joined by commas');
  return list;
};
/** A short text without line breaks. */
export const line = (value: string): string => {
  if (value.length > 100 || /\p{Cc}/u.test(value))
    throw new Error('must be text of at most 100 characters, in one line');
  return value;
};
export const basePath = (value: string): string => {
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(value)) throw new Error('must be empty or like /v1');
  return value;
};
export const moment = (value: string): string => {
  const isReal = () => new Date(value).toISOString().slice(0, 19) === value.slice(0, 19) && !value.startsWith('0000');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(value) || Number.isNaN(Date.parse(value)) || !isReal())
    throw new Error('must be a UTC timestamp like 2026-01-31T12:00:00Z');
  return value;
};
export const words =
  <const W extends string>(allowed: readonly W[]) =>
  (value: string): readonly W[] =>
    value.split(',').map((word) => oneOf(allowed)(word.trim()));
const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  return family !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
};
export const networkLimits = (value: string): readonly string[] => {
  const list = value.split(',').map((entry) => entry.trim());
  const isEntry = (entry: string) => isNetwork(entry.split('=')[0]!) && /^[^=]+=\d{1,9}$/.test(entry);
  if (!list.every(isEntry))
    throw new Error('must be networks with their units a minute, like 203.0.113.0/24=60000, joined by commas');
  return list;
};
export const addresses = (value: string): readonly string[] => {
  const list = value.split(',').map((address) => address.trim());
  if (!list.every(isNetwork))
    throw new Error('must be addresses or networks like 10.0.0.1, 10.0.0.0/8, joined by commas');
  return list;
};
export const keySet = (value: string): string => {
  if (!/^(https?:\/\/|\/)/.test(value)) throw new Error('must be an http or https URL, or the absolute path of a file');
  return value;
};
export const filePath = (value: string): string => {
  if (!value.startsWith('/')) throw new Error('must be the absolute path of a file');
  return value;
};
export const pepper = (value: string): string => {
  if (value.length < 32) throw new Error('must have at least 32 characters; make one with: openssl rand -hex 32');
  return value;
};
