// The rules of the record format beyond the schema, for one value and for several columns of a record. The database
// enforces the same rules; here they have messages and are reported with all other problems of the record.
import { controlCharacter, isInstant } from '@commonhall/contract/text';
import { canonicalAddress } from '../db/address.ts';
import { isShown } from '../visibility/states.ts';
import type { Problem, ValueProblem } from './problems.ts';
import { codePoint } from './problems.ts';

/** The problem of a value, or null. `given` is the value as a message shows it. */
export type ValueRule = (value: unknown, given: () => string) => ValueProblem | null;
/** Values may be of a wrong type, which is reported elsewhere. */
export type RowRule = (record: Readonly<Record<string, unknown>>) => Problem[];

/** gap G18: a key, a state or a term is one line. */
export const lineProblem: ValueRule = (value, given) => {
  const [found] = controlCharacter.exec(String(value)) ?? [];
  return found === undefined
    ? null
    : {
        text: `${given()} has the control character ${codePoint(found)}; write it in one line, without it`,
        gap: 'G18',
      };
};

/** gap G18: text for URLs. The database enforces the same, but accepts unassigned code points. */
export const slugProblem: ValueRule = (value, given) => {
  const text = String(value);
  const [found] = /[\p{C}\p{Z}/?#%\\]/u.exec(text) ?? [];
  if (found !== undefined) {
    const character = '/?#%\\'.includes(found) ? `the character ${found}` : `the character ${codePoint(found)}`;
    const allowed = 'spaces, / ? # % \\ and invisible or unassigned characters are not allowed; replace it';
    return { text: `${given()} has ${character}; ${allowed}`, gap: 'G18' };
  }
  if (text === '.' || text === '..')
    return { text: `${given()} has a meaning of its own in a URL; choose another`, gap: 'G18' };
  return text.normalize('NFC') === text
    ? null
    : { text: `${given()} has letters in decomposed form; write it in Unicode NFC`, gap: 'G18' };
};

/** gap G16. The schema accepts the year 0, and a leap second, which PostgreSQL would move to the next minute. */
export const instantProblem: ValueRule = (value, given) =>
  isInstant(value) ? null : { text: `${given()} is not an instant of the years 1 to 9999; write another`, gap: 'G16' };

/** gap G13. */
export const addressProblem: ValueRule = (value, given) =>
  canonicalAddress(String(value)) === null
    ? { text: `${given()} is a TON address with a wrong checksum; copy the address again`, gap: 'G13' }
    : lineProblem(value, given);

const mostDetails = 400_000;
/** The bytes of a value as PostgreSQL writes jsonb: a space after each comma and colon, numbers without an exponent. */
const jsonbBytes = (value: unknown): number => {
  if (typeof value === 'number') {
    const text = JSON.stringify(value);
    const [, digits = '', places = ''] = /^-?([\d.]+)e-(\d+)$/.exec(text) ?? [];
    if (places === '') return text.length;
    // 1.5e-7 is 0.00000015: a zero and the point, one zero less than the exponent, then the digits.
    return (text.startsWith('-') ? 1 : 0) + 1 + Number(places) + digits.replace('.', '').length;
  }
  if (typeof value !== 'object' || value === null) return Buffer.byteLength(JSON.stringify(value));
  const entries = Object.entries(value);
  const bytes = (sum: number, [key, inner]: [string, unknown]): number =>
    sum + jsonbBytes(inner) + (Array.isArray(value) ? 0 : Buffer.byteLength(JSON.stringify(key)) + 2);
  return entries.reduce(bytes, 2 + 2 * Math.max(0, entries.length - 1));
};
/** gap G15. */
export const detailsProblem: ValueRule = (value) => {
  const bytes = jsonbBytes(value);
  return bytes <= mostDetails
    ? null
    : { text: `has ${bytes} bytes as JSON; at most ${mostDetails} are allowed; shorten it`, gap: 'G15' };
};

/** gap G13. */
const reserved =
  (slug: string, path: string): RowRule =>
  (record) =>
    record.slug === slug
      ? [{ at: 'slug', text: `"${slug}" is reserved: ${path} is a path of the API; choose another`, gap: 'G13' }]
      : [];
const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const needed = (at: string, what: string, remedy: string): Problem => ({
  at,
  text: `is ${what}; write an instant, or ${remedy}`,
  gap: 'G16',
});

/** gap G16. */
const publicBounty: RowRule = (record) =>
  isShown('bounties', record) && isAbsent(record.published_at)
    ? [needed('published_at', 'missing, and the bounty would be public', 'set visibility to "hidden"')]
    : [];
/** gap G16. */
const liveLaunch: RowRule = (record) => {
  const missing = ['published_at', 'launch_week'].filter((name) => isAbsent(record[name]));
  if (record.status === 'LIVE')
    return missing.map((name) => needed(name, 'missing, and the status is LIVE', 'write another status'));
  return isShown('launches', record) && missing.length > 0
    ? [needed('launch_week', 'missing, and the launch would be public', 'set visibility to null')]
    : [];
};
/** gap G17. */
const wholeRepository: RowRule = ({ repository_platform: platform, repository_platform_id: id }) => {
  if (isAbsent(platform) === isAbsent(id)) return [];
  const [at, other] = isAbsent(platform)
    ? ['repository_platform', 'repository_platform_id']
    : ['repository_platform_id', 'repository_platform'];
  return [{ at, text: `is missing, and ${other} is given; write both or neither`, gap: 'G17' }];
};

export const rowRules: Readonly<Record<string, readonly RowRule[]>> = {
  bounties: [reserved('me', '/bounties/me'), publicBounty],
  launches: [reserved('featured', '/launches/featured'), liveLaunch],
  contest_submissions: [wholeRepository],
};
