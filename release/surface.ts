// What a release promises besides the OpenAPI document: settings with their defaults, commands with their arguments and
// flags, metrics, error codes, response headers. `npm run release -- --lock` writes it to
// release/locks; released.test.ts compares the present code with that.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { errorStatus } from '../packages/contract/src/errors.ts';
import { version } from '../packages/contract/src/version.ts';
import { commonHeaders } from '../packages/server/src/http/headers.ts';
import { settings } from '../packages/server/src/settings.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const source = `${root}packages/server/src/`;
export const lockFile = (name: 'surface' | 'openapi'): string => `${root}release/locks/${name}.json`;

/** For each kind, the names and what they mean. */
export interface Surface {
  version: string;
  kinds: Record<string, Record<string, string>>;
}

/** The commands as main.ts declares them: `journal replay` → its arguments and flags. */
const commands = (): Record<string, string> => {
  const text = readFileSync(`${source}main.ts`, 'utf8');
  const found: Record<string, string> = {};
  let current = '';
  const parts =
    /(?:^(program|\w+)\s*|\b(\w+))\.command\('([\w-]+)'|\.(?:argument|option|requiredOption)\(\s*'([^']+)'|new Option\('([^']+)'/gm;
  for (const [, group, named, command, argument, option] of text.matchAll(parts)) {
    const parent = group ?? named;
    if (command !== undefined) current = parent === 'program' ? command : `${parent} ${command}`;
    const given = argument ?? option;
    found[current] = [found[current] ?? '', ...(given === undefined ? [] : [given])]
      .filter((part) => part !== '')
      .join(', ');
  }
  return found;
};
/** Their names; labels are held by docs/alerts.md, whose expressions are run. */
const metrics = (): Record<string, string> => {
  const texts = globSync(`${source}http/*.ts`).map((file) => readFileSync(file, 'utf8'));
  const named = /'commonhall_(\w+)'|\bcommonhall_(\w+): \{|\bread\(\s*'(\w+)'/g;
  const names = texts.flatMap((text) =>
    [...text.matchAll(named)].map(([, ...found]) => found.find((name) => name !== undefined)),
  );
  return Object.fromEntries(names.map((name) => [`commonhall_${name}`, '']));
};
const sorted = (found: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));

export const presentSurface = (): Surface => ({
  version,
  kinds: {
    setting: sorted(
      Object.fromEntries(
        Object.entries(settings).map(([name, { default: value }]) => [
          name,
          value === undefined ? 'required' : String(value),
        ]),
      ),
    ),
    command: sorted(commands()),
    metric: sorted(metrics()),
    'error code': sorted(
      Object.fromEntries(Object.entries(errorStatus).map(([code, status]) => [code, String(status)])),
    ),
    header: sorted(Object.fromEntries(Object.keys(commonHeaders('')).map((name) => [name, '']))),
  },
});
export const readLock = <T>(name: 'surface' | 'openapi'): T => JSON.parse(readFileSync(lockFile(name), 'utf8')) as T;

/** Whom a kind is for. */
const readers: Record<string, string> = { 'error code': 'callers', header: 'callers' };
/** What a released text still promises: a command may have more arguments and flags. */
const isKept = (kind: string, was: string, now: string | undefined): boolean =>
  now !== undefined &&
  (kind === 'command' ? was.split(', ').every((part) => part === '' || now.split(', ').includes(part)) : now === was);

/** What breaks the promises of a release, a line each, with what to do. */
export const surfaceBreaks = (released: Surface, present: Surface): string[] =>
  Object.entries(released.kinds).flatMap(([kind, names]) =>
    Object.entries(names).flatMap(([name, was]) => {
      const now = present.kinds[kind]?.[name];
      if (isKept(kind, was, now)) return [];
      const what = now === undefined ? 'is gone' : `was ${JSON.stringify(was)} and is ${JSON.stringify(now)}`;
      return [
        `${kind} ${name} ${what}, which breaks ${readers[kind] ?? 'operators'} of ${released.version}: keep it, or raise the major version and run npm run release -- --lock`,
      ];
    }),
  );

/** Writes what the present version promises. */
export const writeLocks = (document: object): void => {
  writeFileSync(lockFile('surface'), `${JSON.stringify(presentSurface(), null, 2)}\n`);
  const withoutExamples = (key: string, value: unknown) => (/^examples?$/.test(key) ? undefined : value);
  writeFileSync(lockFile('openapi'), `${JSON.stringify(document, withoutExamples)}\n`);
};
