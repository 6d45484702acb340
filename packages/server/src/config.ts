// The only reader of the environment: the table of settings → a frozen Config. All problems are reported at once.
import { readFileSync } from 'node:fs';
import { nearest } from '@commonhall/contract/nearest';
import type { Setting } from './settings.ts';
import { settings } from './settings.ts';

type Settings = typeof settings;
type SettingName = keyof Settings;
export type Config = { readonly [N in SettingName]: Settings[N] extends Setting<infer T> ? T : never };

const rawValue = (name: string, secret: boolean, env: NodeJS.ProcessEnv): string | undefined => {
  const [value, file] = [env[name] || undefined, env[`${name}_FILE`] || undefined];
  if (file === undefined) return value;
  if (!secret) throw new Error(`is not a secret: it cannot come from ${name}_FILE`);
  if (value !== undefined) throw new Error(`is given twice: as ${name} and as ${name}_FILE`);
  return readFileSync(file, 'utf8').trim();
};

/** Names that are close to one of our settings: most likely typos. Short names of the system (HOME) are ignored. */
const misspelt = (env: NodeJS.ProcessEnv): string[] => {
  const known = Object.keys(settings);
  return Object.keys(env).flatMap((name) => {
    const base = name.replace(/_FILE$/, '');
    const suggestion = name.length < 8 ? undefined : (nearest(base, known) ?? nearest(name, known));
    return suggestion === undefined || known.includes(name) || known.includes(base)
      ? []
      : [`${name}: unknown setting; did you mean ${suggestion}?`];
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
  const given = Object.fromEntries(values) as Config;
  const jwt = [given.JWT_ISSUER, given.JWT_AUDIENCE, given.JWT_JWKS];
  if (jwt.includes('') && jwt.some((value) => value !== ''))
    problems.push('JWT_ISSUER, JWT_AUDIENCE and JWT_JWKS: set all three, or none');
  const { COMMUNITY_LOGO: logo, EXPLORER_IMAGE_ORIGINS: allowed } = given;
  if (logo !== '' && allowed?.every((origin) => origin !== new URL(logo).origin && origin !== 'https:'))
    problems.push(`COMMUNITY_LOGO: add ${new URL(logo).origin} to EXPLORER_IMAGE_ORIGINS`);
  if (problems.length > 0)
    throw new Error(problems.length === 1 ? problems[0] : `The settings are wrong:\n  ${problems.join('\n  ')}`);
  return Object.freeze(given);
};

/** For tests only, and no setting: where this process is to end itself (crash-points.ts). */
export const givenCrashPoint = (): string => process.env.COMMONHALL_TEST_CRASH ?? '';

/** The effective settings as lines to print, with secrets masked. */
export const printSettings = (config: Config): string[] =>
  Object.entries(settings).map(([name, { secret }]) => {
    const value = String(config[name as SettingName]);
    return `${name}=${secret && value !== '' ? '***' : value}`;
  });
