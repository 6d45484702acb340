// The only reader of the environment: one table of settings → a frozen Config. All problems are reported at once.
import { readFileSync } from 'node:fs';
import { nearest } from '@commonhall/contract/nearest';

interface Setting<T> {
  doc: string;
  /** The value when the setting is absent; undefined: it must be given. */
  default: T | undefined;
  parse: (text: string) => T;
  /** Masked in print; may also come from the file that NAME_FILE names. */
  secret?: true;
}

const text = (value: string): string => value;
const integer =
  (minimum: number, maximum: number) =>
  (value: string): number => {
    const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= minimum && number <= maximum)) throw new Error(`must be an integer from ${minimum} to ${maximum}`);
    return number;
  };
const flag = (value: string): boolean => {
  if (value !== 'true' && value !== 'false') throw new Error('must be true or false');
  return value === 'true';
};
const oneOf =
  <const W extends string>(words: readonly W[]) =>
  (value: string): W => {
    const word = words.find((known) => known === value);
    if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`);
    return word;
  };
const webUrl = (value: string): string => {
  if (!URL.canParse(value) || !/^https?:\/\/[^?#]+$/.test(value))
    throw new Error('must be an http or https URL without a query');
  return value.replace(/\/+$/, '');
};
const basePath = (value: string): string => {
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(value)) throw new Error('must be empty or like /v1');
  return value;
};
const moment = (value: string): string => {
  const isReal = () => new Date(value).toISOString().slice(0, 19) === value.slice(0, 19) && !value.startsWith('0000');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(value) || Number.isNaN(Date.parse(value)) || !isReal())
    throw new Error('must be a UTC moment like 2026-01-31T12:00:00Z');
  return value;
};
const pepper = (value: string): string => {
  if (value.length < 32) throw new Error('must have at least 32 characters; make one with: openssl rand -hex 32');
  return value;
};
const setting = <T>(definition: Setting<T>): Setting<T> => definition;

export const settings = {
  DATABASE_URL: setting({
    doc: 'PostgreSQL, as postgres://user:password@host:port/database. `serve` needs only a member of commonhall_reader.',
    default: undefined,
    parse: text,
    secret: true,
  }),
  DATABASE_CONNECTIONS: setting({ doc: 'Connections the server keeps at most.', default: 10, parse: integer(1, 1000) }),
  DATABASE_WAIT_MS: setting({
    doc: 'Longest wait for a free connection; then 503.',
    default: 1000,
    parse: integer(1, 60_000),
  }),
  DATABASE_QUEUE: setting({
    doc: 'Requests that may wait for a connection; one more is 503 at once.',
    default: 200,
    parse: integer(0, 100_000),
  }),
  STATEMENT_TIMEOUT_MS: setting({ doc: 'Longest statement; then 503.', default: 3000, parse: integer(1, 600_000) }),
  PREPARED_STATEMENTS: setting({
    doc: 'Named statements; false for poolers that cannot hold them.',
    default: true,
    parse: flag,
  }),
  HOST: setting({ doc: 'Address to listen on.', default: '127.0.0.1', parse: text }),
  PORT: setting({ doc: 'Port of the API; 0 takes a free one.', default: 8080, parse: integer(0, 65_535) }),
  METRICS_PORT: setting({
    doc: 'Port of the Prometheus metrics, on HOST; 0 takes a free one.',
    default: 9464,
    parse: integer(0, 65_535),
  }),
  PUBLIC_URL: setting({
    doc: 'Where callers reach the API, without BASE_PATH: every absolute URL in answers begins with it.',
    default: 'http://127.0.0.1:8080',
    parse: webUrl,
  }),
  BASE_PATH: setting({ doc: 'What stands before every path of the API, like /v1.', default: '', parse: basePath }),
  MAX_AGE_SECONDS: setting({ doc: 'How long public answers stay fresh.', default: 1, parse: integer(0, 86_400) }),
  KEY_PEPPER: setting({
    doc: 'Secret under which API keys are hashed. Without it no API key is accepted and none can be made.',
    default: '',
    parse: pepper,
    secret: true,
  }),
  DRAIN_MS: setting({
    doc: 'How long a stopping server says "not ready" before it stops accepting connections.',
    default: 3000,
    parse: integer(0, 600_000),
  }),
  LOG_LEVEL: setting({
    doc: 'Least level that is logged.',
    default: 'info',
    parse: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  }),
  CHECK_RESPONSES: setting({
    doc: 'Development: check every answer against the contract; a mismatch is 500.',
    default: false,
    parse: flag,
  }),
  FIXED_NOW: setting({
    doc: 'Pins the clock of the API to a moment, for demonstrations and tests.',
    default: '',
    parse: moment,
  }),
};

type Settings = typeof settings;
type SettingName = keyof Settings;
export type Config = { readonly [N in SettingName]: Settings[N] extends Setting<infer T> ? T : never };

const rawValue = (name: string, secret: boolean, env: NodeJS.ProcessEnv): string | undefined => {
  const [value, file] = [env[name] || undefined, env[`${name}_FILE`] || undefined];
  if (file === undefined) return value;
  if (!secret) throw new Error(`is no secret: it cannot come from ${name}_FILE`);
  if (value !== undefined) throw new Error(`is given twice: as ${name} and as ${name}_FILE`);
  return readFileSync(file, 'utf8').trim();
};

/** Names close to one of ours but not it: most likely a slip. Short names of the system (HOME) are left alone. */
const misspelt = (env: NodeJS.ProcessEnv): string[] => {
  const known = Object.keys(settings);
  return Object.keys(env).flatMap((name) => {
    const meant = name.length < 8 ? undefined : nearest(name.replace(/_FILE$/, ''), known);
    return meant === undefined || known.includes(name.replace(/_FILE$/, ''))
      ? []
      : [`${name}: unknown setting; did you mean ${meant}?`];
  });
};

export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config => {
  const problems = misspelt(env);
  const values = Object.entries(settings).map(([name, { default: byDefault, parse, secret }]) => {
    try {
      const raw = rawValue(name, secret ?? false, env);
      if (raw === undefined && byDefault === undefined) throw new Error('must be set');
      return [name, raw === undefined ? byDefault : parse(raw)];
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
      return [name, undefined];
    }
  });
  if (problems.length > 0) throw new Error(`The settings are wrong:\n  ${problems.join('\n  ')}`);
  return Object.freeze(Object.fromEntries(values)) as Config;
};

/** The effective settings for print, secrets masked. */
export const printSettings = (config: Config): string =>
  Object.entries(settings)
    .map(([name, { secret }]) => {
      const value = String(config[name as SettingName]);
      return `${name}=${secret && value !== '' ? '***' : value}`;
    })
    .join('\n');
