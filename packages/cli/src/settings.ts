// The URL of the API and the API key: from options, the environment or a profile. The only file that reads the
// environment and the profiles.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from './failures.ts';

export interface Profile {
  url: string;
  token?: string;
}
type Profiles = Record<string, Profile>;

const { env } = process;
const fileName = (): string => join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'commonhall', 'profiles.json');

export const readProfiles = (): Profiles => {
  const file = fileName();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const profiles: unknown = JSON.parse(text);
    if (typeof profiles === 'object' && profiles !== null) return profiles as Profiles;
  } catch {}
  throw new UsageError(`${file} is damaged: correct it, or remove it and save the profiles again`);
};
/** Writes atomically, and readable only by the owner: the file contains keys. */
export const writeProfiles = (profiles: Profiles): void => {
  const file = fileName();
  const whole = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(whole, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  renameSync(whole, file);
};

const checkUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${text} is not an absolute URL; write it like https://api.example.org`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError('The URL must have no user, password, query or fragment; the key goes into COMMONHALL_TOKEN');
  return url.href.replace(/\/$/, '');
};

const findProfile = (name: string | undefined): Profile => {
  const profiles = readProfiles();
  const wanted = name ?? 'default';
  if (Object.hasOwn(profiles, wanted)) return profiles[wanted]!;
  if (name === undefined)
    throw new UsageError('Say where the API is: --url https://api.example.org, or COMMONHALL_URL, or save a profile');
  const names = Object.keys(profiles).join(', ');
  const hint = names === '' ? 'save one: commonhall-api profile save' : `there are ${names}`;
  throw new UsageError(`There is no profile ${name}; ${hint}`);
};

const withToken = (url: string, token: string | undefined): Profile => ({
  url: checkUrl(url),
  ...(token === undefined ? {} : { token }),
});

/** URL and key from the option and the environment, without profiles. */
export const readSaid = (url: string | undefined): Profile | null => {
  const said = url ?? (env.COMMONHALL_URL || undefined);
  return said === undefined ? null : withToken(said, env.COMMONHALL_TOKEN || undefined);
};

/** URL and key come from the same source: a key is never sent to a URL that it was not meant for. */
export const readSettings = ({ url, profile }: { url?: string; profile?: string }): Profile => {
  if (url !== undefined || profile === undefined) {
    const said = readSaid(url);
    if (said !== null) return said;
  }
  const found = findProfile(profile ?? (env.COMMONHALL_PROFILE || undefined));
  return withToken(found.url, found.token);
};
