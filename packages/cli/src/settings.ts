// Where the API is and who asks: options, the environment, or a profile. The only reader of the environment, and of the
// file with the profiles.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  try {
    return JSON.parse(readFileSync(fileName(), 'utf8')) as Profiles;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`${fileName()} cannot be read: ${(error as Error).message}`);
  }
};
export const writeProfiles = (profiles: Profiles): void => {
  mkdirSync(dirname(fileName()), { recursive: true, mode: 0o700 });
  writeFileSync(fileName(), `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 }); // it holds keys
};

const checkUrl = (url: string): string => {
  const isGood = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isGood) throw new UsageError(`${url} is not a URL; write the whole of it: https://api.example.org`);
  return url;
};

/** The default profile is the one named `default`. */
const findProfile = (name: string | undefined): Profile | undefined => {
  const profiles = readProfiles();
  const found = profiles[name ?? 'default'];
  if (found !== undefined || name === undefined) return found;
  const names = Object.keys(profiles).join(', ');
  throw new UsageError(
    `There is no profile ${name}; ${names === '' ? 'save one: commonhall-api profile save' : `there are ${names}`}`,
  );
};

/** From the most particular to the most general. The key of a profile is sent to the URL of that profile only. */
export const readSettings = (options: { url?: string; profile?: string }): Profile => {
  const token = env.COMMONHALL_TOKEN || undefined;
  const url = options.url ?? (options.profile === undefined ? env.COMMONHALL_URL || undefined : undefined);
  if (url !== undefined) return { url: checkUrl(url), ...(token === undefined ? {} : { token }) };
  const profile = findProfile(options.profile ?? (env.COMMONHALL_PROFILE || undefined));
  if (profile === undefined)
    throw new UsageError('Say where the API is: --url https://api.example.org, or COMMONHALL_URL, or save a profile');
  return {
    url: checkUrl(profile.url),
    ...(token === undefined ? (profile.token === undefined ? {} : { token: profile.token }) : { token }),
  };
};
