// node test/guards.ts [first [last]]: takes each guard away in turn, or those from one number to another, in a copy of the
// sources, and runs the tests that must notice. Ends with 1 when one does not. The list is what stands between a caller
// and what is not theirs.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Guard {
  /** What it keeps. */
  keeps: string;
  /** Below packages/server. */
  file: string;
  /** The guard itself; stands there exactly once. */
  text: string;
  /** What stands there when it is gone. */
  without: string;
  /** Test files that notice, below packages/server/test. */
  tests: string[];
}

const query = (noun: string, keeps: string, text: string, without: string, tests = ['matrix']): Guard => ({
  keeps,
  file: `src/queries/${noun}.ts`,
  text,
  without,
  tests,
});
const http = (file: string, keeps: string, text: string, without: string, tests: string[]): Guard => ({
  keeps,
  file: `src/http/${file}.ts`,
  text,
  without,
  tests,
});
const schema = (keeps: string, text: string, without: string): Guard => ({
  keeps,
  file: 'migrations/0002_tables.sql',
  text,
  without,
  tests: ['matrix'],
});

export const guards: readonly Guard[] = [
  query(
    'agents',
    'agents that are not published',
    'where a.name = ${name} and a.is_public`,\n',
    'where a.name = ${name}`,\n',
  ),
  query(
    'agents',
    'metadata of agents that are not published',
    'where a.name = ${name} and a.is_public`;',
    'where a.name = ${name}`;',
  ),
  query('bounties', 'bounties that are not public', 'where b.slug = ${slug} and b.is_public', 'where b.slug = ${slug}'),
  query(
    'bounties',
    'submissions of bounties that are not public',
    'where b.id = ${bountyId} and b.is_public`,\n  failure',
    'where b.id = ${bountyId}`,\n  failure',
  ),
  query(
    'bounties',
    'submissions of a bounty that hides them',
    "case when not parent.submissions_visible then 'SUBMISSIONS_HIDDEN' end",
    'null::text',
  ),
  query(
    'bounties',
    'moderated submissions',
    'where s.bounty_id = parent.id and s.is_public',
    'where s.bounty_id = parent.id',
  ),
  query(
    'bounties',
    'winners before they are announced, by status',
    "case when ${completedAt} is null and s.status = 'WINNER' then 'APPROVED' else s.status end",
    's.status',
    ['worlds'],
  ),
  query(
    'bounties',
    'winners before they are announced, by place',
    'case when ${completedAt} is not null then s.prize_place end',
    's.prize_place',
    ['worlds'],
  ),
  query('bounties', 'reasons of moderators', 'sql`null::text`))}) i', 'sql`s.moderation_reason`))}) i'),
  query(
    'bounties',
    "other authors' submissions",
    'where s.bounty_id = b.id and s.user_id = ${caller.userId}\n        order',
    'where s.bounty_id = b.id\n        order',
  ),
  query('bounties', 'that a hidden bounty exists, from strangers', ' and (b.is_public or o.count > 0)', ''),
  query(
    'bounties',
    'winners of bounties that are not public',
    'where b.id = ${bountyId} and b.is_public`,\n  );\n\n// access',
    'where b.id = ${bountyId}`,\n  );\n\n// access',
  ),
  query('bounties', 'winners among moderated submissions', '          and s.is_public\n', ''),
  query('bounties', 'winners until the bounty is completed', '          and b.completed_at is not null\n', ''),
  query('bounties', "a sponsor's drafts, from roles below MEMBER", ' and (m.is_member or b.is_public)', ''),
  query('bounties', "other sponsors' bounties", 'where m.user_id = ${caller.userId} and', 'where'),
  query('bounties', 'all bounties, from all but god_mode', 'caller.godMode', '!caller.godMode'),
  query(
    'sponsors',
    "a sponsor's drafts",
    'where b.sponsor_id = parent.id and b.is_public\n',
    'where b.sponsor_id = parent.id\n',
  ),
  query(
    'sponsors',
    'wallets, from all but members',
    "case when not parent.is_member then 'FORBIDDEN' when",
    'case when',
  ),
  query('sponsors', 'wallets, from members of other sponsors', 'and m.user_id = ${caller.userId}', ''),
  query('sponsors', "other sponsors' submissions", ' and b.sponsor_id = sp.id', ''),
  query('launches', 'launches that are not live', 'where l.slug = ${slug} and l.is_public', 'where l.slug = ${slug}'),
  query('launches', "others' claps", 'and c.user_id = ${caller.userId}', 'limit 1', ['worlds']),
  query(
    'launches',
    'featured launches that are not live',
    'where l.is_public and l.featured_at',
    'where l.featured_at',
  ),
  query(
    'launches',
    'launches of users who are not public',
    'u.username = ${username} and u.is_public',
    'u.username = ${username}',
  ),
  query(
    'launches',
    "a user's drafts",
    'where l.submitted_by_id = parent.id and l.is_public\n',
    'where l.submitted_by_id = parent.id\n',
  ),
  query('collections', 'drafts in the list of collections', 'isPublic: sql`r.is_public`', 'isPublic: undefined'),
  query(
    'collections',
    'draft collections and their holders',
    'canonical_address(${address}) and r.is_public',
    'canonical_address(${address})',
  ),
  query(
    'collections',
    'contests of a collection that are not public',
    'where cc.collection_address = r.address and t.is_public',
    'where cc.collection_address = r.address',
    ['collections'],
  ),
  query('contests', 'contests that are not public', '    where c.is_public\n', '    where true\n'),
  query('contests', 'entries that are not approved', '        and s.is_public\n', ''),
  query('contests', 'entries of contests that are not public', '\n        and c.is_public`', '`'),
  query('contests', 'entries by way of another contest', '        and s.contest_id = ${contestId}\n', ''),
  query(
    'users',
    'timelines of users who are not public',
    'where u.username = ${username} and u.is_public',
    'where u.username = ${username}',
  ),
  query('users', 'badges of draft collections', '      and t.is_public\n', ''),
  query('users', 'everything, from revoked keys', '        and k.revoked_at is null\n', ''),
  query(
    'users',
    'everything, from expired keys',
    '        and (k.expires_at is null or k.expires_at > api_now())\n',
    '',
  ),
  query('users', "everything, from a deactivated user's key", '        and u.is_public`', '`'),
  query(
    'users',
    "everything, from a deactivated user's JWT",
    'where u.id = ${userId} and u.is_public',
    'where u.id = ${userId}',
  ),
  http('jwt', 'that JWTs are signed as we say', '          algorithms: [...options.algorithms],\n', '', [
    'tokens',
    'matrix',
  ]),
  http('jwt', 'that JWTs are of our issuer', '          issuer: options.issuer,\n', '', ['tokens']),
  http('jwt', 'that JWTs are for us', '          audience: options.audience,\n', '', ['tokens']),
  http('jwt', 'that JWTs end soon', ' && Number(exp) <= latest', '', ['tokens']),
  http('jwt', 'that the subject can be an id', 'isSound && isUserId(sub)', "isSound && typeof sub === 'string'", [
    'tokens',
  ]),
  http('auth', 'that keys are of an accepted kind', ' && kinds.includes(kind)', '', ['tokens']),
  http(
    'auth',
    'that two credentials are not one of them',
    "  if (another !== undefined) throw unauthorized('Send one Authorization header, not several');\n",
    '',
    ['access'],
  ),
  http(
    'cache',
    'that private answers are stored nowhere',
    "if (cache === 'private' || (cache === 'mixed' && hasCredential)) return 'private, no-store';",
    '',
    ['matrix'],
  ),
  http(
    'admission',
    'the end of guessing',
    "done(standing.isOver && account.policy !== 'token' ? tooMany(account, standing) : undefined);",
    'done(undefined);',
    ['limits'],
  ),
  http(
    'limits',
    'one budget for one token, however it is signed',
    "token.startsWith('chk_') ? token : token.slice(0, token.lastIndexOf('.'))",
    'token',
    ['tokens'],
  ),
  http(
    'jwt',
    'one limit for one token',
    "if (!isCanonical(token.slice(token.lastIndexOf('.') + 1))) return null;",
    '',
    ['tokens'],
  ),
  schema('what is public is a list: bounties', "(status in ('OPEN', 'REVIEW', 'COMPLETED'))", "(status <> 'DRAFT')"),
  schema('what is public is a list: launches', "(status = 'LIVE')", "(status <> 'DRAFT')"),
  schema('roles are a list', "(role in ('MEMBER', 'ADMIN', 'OWNER'))", "(role <> 'VIEWER')"),
];

const root = resolve(import.meta.dirname, '..');

/** The problem with a guard's place, or null: its text must stand in its file exactly once. */
export const misplaced = ({ file, text }: Guard): string | null => {
  const count = readFileSync(join(root, 'packages/server', file), 'utf8').split(text).length - 1;
  return count === 1 ? null : `${file}: ${JSON.stringify(text)} stands there ${count} times`;
};

const removeEach = (): boolean => {
  const copy = mkdtempSync(join(tmpdir(), 'commonhall-guards-'));
  const wanted = (path: string) => !/(^|\/)(node_modules|\.git)$/.test(path);
  cpSync(root, copy, { recursive: true, filter: wanted });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const passes = (tests: readonly string[]): boolean => {
    const files = tests.map((name) => `packages/server/test/${name}.test.ts`);
    return spawnSync(process.execPath, ['test/run.ts', ...files], { cwd: copy, stdio: 'ignore' }).status === 0;
  };
  if (!passes([...new Set(guards.flatMap(({ tests }) => tests))]))
    throw new Error('the tests fail with every guard in place');
  const [first = 1, last = guards.length] = process.argv.slice(2).map(Number);
  let unnoticed = 0;
  for (const [index, guard] of guards.entries()) {
    if (index + 1 < first || index + 1 > last) continue;
    const problem = misplaced(guard);
    if (problem !== null) throw new Error(problem);
    const path = join(copy, 'packages/server', guard.file);
    const original = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      original.replace(guard.text, () => guard.without),
    );
    const isUnnoticed = passes(guard.tests);
    writeFileSync(path, original);
    if (isUnnoticed) unnoticed += 1;
    console.log(
      `${index + 1}/${guards.length} ${isUnnoticed ? 'NOT NOTICED' : 'noticed'}: ${guard.keeps} (${guard.file})`,
    );
  }
  rmSync(copy, { recursive: true });
  console.log(`${last - first + 1} guards taken away, ${unnoticed} not noticed`);
  return unnoticed === 0;
};

if (process.argv[1] === import.meta.filename && !removeEach()) process.exitCode = 1;
