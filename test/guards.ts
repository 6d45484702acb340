// npm run guards [-- first [last]]: mutation testing of the checks that protect private data. In a copy of the
// sources, removes one guard at a time (all, or numbers first to last) and runs the tests that must then fail. Exits
// with status 1 if the tests still pass without a guard.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { lists } from '../packages/server/src/db/lists/declarations.ts';

export interface Guard {
  /** What the guard protects: the data that it withholds, and from which callers, or the property that it ensures. */
  keeps: string;
  /** Below packages/server. */
  file: string;
  /** The source text of the guard; it occurs exactly once in the file. */
  text: string;
  /** The text that replaces it. */
  without: string;
  /** Test files, below packages/server/test, that must fail without the guard. */
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
const feed = (file: string, keeps: string, text: string, without: string, tests: string[]): Guard => ({
  keeps,
  file: `src/${file}.ts`,
  text,
  without,
  tests,
});
const watch = 'db/connection/replica-watch';
const replica = (
  keeps: string,
  text: string,
  without: string,
  file = 'db/connection/replicas',
  tests = ['replicas'],
): Guard => ({
  keeps,
  file: `src/${file}.ts`,
  text,
  without,
  tests,
});
const migration = (name: string, keeps: string, text: string, without: string, tests = ['matrix']): Guard => ({
  keeps,
  file: `migrations/${name}.sql`,
  text,
  without,
  tests,
});
const model = (keeps: string, text: string, without: string, tests?: string[]): Guard =>
  migration('0002_tables', keeps, text, without, tests);
const changes = (file: string, keeps: string, text: string, without: string, tests = ['changes']): Guard => ({
  keeps,
  file: `src/changes/${file}.ts`,
  text,
  without,
  tests,
});
/** Removes the condition of a declared list: from its pages, its totals and its blocks. */
const listGuards = (): Guard[] => {
  const file = 'src/db/lists/declarations.ts';
  const declared = readFileSync(new URL(`../packages/server/${file}`, import.meta.url), 'utf8');
  return lists
    .filter(({ counted }) => counted === 'is_public')
    .map(({ name }) => {
      const text = new RegExp(`list\\('${name}',[^;]*?counted: 'is_public',`).exec(declared)?.[0] ?? name;
      const without = text.replace("'is_public'", "'is_public is not null'");
      return { keeps: `what is not public, from the list ${name}`, file, text, without, tests: ['matrix'] };
    });
};

export const guards: readonly Guard[] = [
  query('agents', 'agents that are not public', 'where r.name = ${name} and r.is_public', 'where r.name = ${name}'),
  query(
    'agents',
    'metadata of agents that are not public',
    'where a.name = ${name} and a.is_public`;',
    'where a.name = ${name}`;',
  ),
  query('bounties', 'bounties that are not public', 'where r.slug = ${slug} and r.is_public', 'where r.slug = ${slug}'),
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
    '...listParts({ list: publicSubmissions,',
    '...listParts({ list: { ...publicSubmissions, counted: "true" },',
  ),
  query(
    'bounties',
    'the number of moderated submissions',
    '${totalOf(publicSubmissions, sql`r.id`)} as',
    "${totalOf({ ...publicSubmissions, name: 'submissions' }, sql`r.id`)} as",
  ),
  query(
    'bounties',
    'winners before they are announced, by status',
    "case when not ${isCompleted} and r.status = 'WINNER' then 'APPROVED' else r.status end",
    'r.status',
    ['bounties'],
  ),
  query(
    'bounties',
    'winners before they are announced, by place',
    'case when ${isCompleted} then r.prize_place end',
    'r.prize_place',
    ['bounties'],
  ),
  query(
    'bounties',
    'reasons of moderators',
    'unannounced(sql`parent.is_completed`, sql`null::text`)',
    'unannounced(sql`parent.is_completed`, sql`r.moderation_reason`)',
  ),
  query(
    'bounties',
    'submissions of other authors',
    'where r.bounty_id = b.id and r.user_id = ${caller.userId}\n        order',
    'where r.bounty_id = b.id\n        order',
  ),
  query('bounties', 'that a hidden bounty exists, from strangers', ' and (b.is_public or o.count > 0)', ''),
  query(
    'bounties',
    'that a hidden bounty exists, from strangers, when other users have submissions in it',
    'where s.bounty_id = ${bountyId} and s.user_id = ${caller.userId}\n',
    'where s.bounty_id = ${bountyId}\n',
  ),
  query(
    'bounties',
    'winners of bounties that are not public',
    'where b.id = ${bountyId} and b.is_public`,\n  );\n\n// access',
    'where b.id = ${bountyId}`,\n  );\n\n// access',
  ),
  query('bounties', 'winners among moderated submissions', '          and s.is_public\n', ''),
  query('bounties', 'winners until the bounty is completed', '          and b.is_completed\n', ''),
  query('bounties', "a sponsor's drafts, from roles below MEMBER", ' and (m.is_member or r.is_public)', ''),
  query(
    'bounties',
    "the number of a sponsor's drafts, from roles below MEMBER",
    'else ${totalOf(sponsorBounties, sql`m.sponsor_id`)}',
    'else ${totalOf(memberBounties, sql`m.sponsor_id`)}',
  ),
  query('bounties', "other sponsors' bounties", 'where m.user_id = ${caller.userId} and', 'where'),
  query(
    'bounties',
    "the number of other sponsors' bounties",
    '          from sponsor_members m\n          where m.user_id = ${caller.userId}`',
    '          from sponsor_members m`',
  ),
  query('bounties', 'all bounties, from all but god_mode', 'caller.godMode', '!caller.godMode'),
  query(
    'sponsors',
    "a sponsor's drafts",
    '...listParts({ list: sponsorBounties,',
    '...listParts({ list: { ...sponsorBounties, counted: "true" },',
  ),
  query(
    'sponsors',
    'wallets, from all but members',
    "case when not parent.is_member then 'FORBIDDEN' when",
    'case when',
  ),
  query('sponsors', 'wallets, from members of other sponsors', 'and m.user_id = ${caller.userId}', ''),
  query('sponsors', "other sponsors' submissions", ' and b.sponsor_id = sp.id', ''),
  query('launches', 'launches that are not public', 'where r.slug = ${slug} and r.is_public', 'where r.slug = ${slug}'),
  query('launches', 'claps of other users', 'and c.user_id = ${caller.userId}', 'limit 1', ['worlds']),
  query(
    'launches',
    'featured launches that are not public',
    'where r.is_public and r.featured_at',
    'where r.featured_at',
  ),
  query(
    'collections',
    'draft collections and their holders',
    '${canonicalAddress(address)} and r.is_public',
    '${canonicalAddress(address)}',
  ),
  query(
    'collections',
    'contests of a collection that are not public',
    'where cc.collection_address = r.address and t.is_public',
    'where cc.collection_address = r.address',
  ),
  query(
    'filtered',
    'what is not public, from searches',
    'const isPublic = counted ?? undefined;',
    'const isPublic = counted && undefined;',
  ),
  query(
    'contests',
    'contests that are not public, under a filter',
    'joinSql([sql`r.is_public`, isOfStatus',
    'joinSql([isOfStatus',
  ),
  query(
    'contests',
    'entries that are not approved',
    'where r.id = ${submissionId} and r.is_public`',
    'where r.id = ${submissionId}`',
  ),
  query(
    'contests',
    'contests that are not public, by id or slug, and their entries',
    'select * from contests where is_public`',
    'select * from contests`',
  ),
  query('contests', 'entries by way of another contest', 'r on r.contest_id = c.id\n', 'r on true\n'),
  query(
    'contests',
    'repositories that were taken down, from the entries that name them',
    's.repository_platform_id and r.is_public\n',
    's.repository_platform_id\n',
  ),
  query(
    'repositories',
    'repositories that were taken down, by their key',
    'r.platform_id = ${platformId} and r.is_public',
    'r.platform_id = ${platformId}',
  ),
  query(
    'users',
    'users who are not public',
    'where p.username = ${username} and p.is_public',
    'where p.username = ${username}',
  ),
  query(
    'users',
    'timelines and launches of users who are not public',
    'where u.username = ${username} and u.is_public',
    'where u.username = ${username}',
  ),
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
  migration('0003_writer', 'launches that are not public, under a topic', '\nwhere l.is_public;', ';'),
  migration('0003_writer', 'entries that are not approved, under a track', '\nwhere s.is_public;', ';'),
  migration(
    '0004_maintained',
    'launches that were hidden later, under a topic',
    "rank_launch_weeks(c.weeks), relist('lists.launch_topics', c.ids) from",
    'rank_launch_weeks(c.weeks) from',
  ),
  migration(
    '0004_maintained',
    'entries that were hidden later, under a track',
    "select call_after('insert update delete truncate', 'contest_submissions', 'maintain_submission_tracks');",
    "select call_after('insert delete truncate', 'contest_submissions', 'maintain_submission_tracks');",
  ),
  migration(
    '0004_maintained',
    'weeks whose last launch was hidden',
    'where w.week = any (weeks) and not exists (',
    'where false and not exists (',
  ),
  ...listGuards(),
  {
    keeps: 'the condition of a list, in its pages',
    file: 'src/db/lists/pages.ts',
    text: '...(names.counted === null ? [] : [names.counted]),',
    without: '',
    tests: ['matrix'],
  },
  {
    keeps: 'the parent of a list, in its pages',
    file: 'src/db/lists/pages.ts',
    text: '...(names.parent === null ? [] : [sql`${names.parent} = ${parent}`]),',
    without: '',
    tests: ['matrix'],
  },
  {
    keeps: 'the filter of a list, in the number of rows of a range',
    file: 'src/db/lists/totals.ts',
    text: "isBelow('r'), read.fits])}",
    without: "isBelow('r')])}",
    tests: ['pages'],
  },
  migration('0001_types', 'takedowns, in every table', 'return not is_taken_down\n  and coalesce', 'return coalesce'),
  migration('0001_types', 'rows that the platform marks as hidden', "when 'hidden' then false ", ''),
  model(
    'allowlist of public statuses: users',
    "(lower(status) in ('activated', 'active'))",
    "(lower(status) <> 'banned')",
    ['worlds'],
  ),
  model('allowlist of public statuses: agents', "status = 'PUBLISHED'", "status <> 'DRAFT'"),
  model('allowlist of public statuses: bounties', "status in ('OPEN', 'REVIEW', 'COMPLETED')", "status <> 'DRAFT'"),
  model(
    'allowlist of public statuses: submissions',
    "status in ('PENDING', 'APPROVED', 'WINNER')",
    "status <> 'DELETED'",
  ),
  model('allowlist of public statuses: launches', "visibility, status = 'LIVE'", "visibility, status <> 'DRAFT'"),
  model(
    'launches that are not published, whatever the platform says',
    'published_at is not null and is_shown(',
    'is_shown(',
  ),
  model(
    'internal drafts, whatever the platform says',
    "(source = 'external' or upper(coalesce(status, '')) <> 'DRAFT') and is_shown(",
    'is_shown(',
  ),
  model(
    'internal drafts, whatever the case of their status',
    "upper(coalesce(status, '')) <> 'DRAFT'",
    "coalesce(status, '') <> 'DRAFT'",
  ),
  model('allowlist of public statuses: contests', "status in ('OPEN', 'VOTING', 'COMPLETED')", "status <> 'DRAFT'"),
  model(
    'entries that are not approved, whatever the platform says',
    "status in ('APPROVED', 'WINNER') and is_shown(",
    'is_shown(',
  ),
  model(
    'takedowns of repositories',
    'generated always as (not is_taken_down) stored',
    'generated always as (true) stored',
  ),
  model('takedowns of timeline items', '(is_badge_public and not is_taken_down)', '(is_badge_public)'),
  model('badges of draft collections', '(is_badge_public and not is_taken_down)', '(not is_taken_down)'),
  model('submissions of hidden bounties, on the page of their author', 'status) and is_bounty_open', 'status)'),
  model('allowlist of member roles', "(role in ('MEMBER', 'ADMIN', 'OWNER'))", "(role <> 'VIEWER')"),
  model('winners before they are announced', "(completed_at is not null or status = 'COMPLETED')", '(true)', [
    'worlds',
  ]),
  migration(
    '0003_writer',
    'one writer at a time',
    '  lock table public.writer_lock in share update exclusive mode;\nend',
    'end',
    ['writers'],
  ),
  migration(
    '0003_writer',
    'that a writer sees what other sessions have committed',
    "if current_setting('transaction_isolation') <> 'read committed' then",
    'if false then',
    ['writers'],
  ),
  migration('0003_writer', 'maintained tables, from writers', '    if t.is_maintained then\n', '    if false then\n', [
    'maintained',
  ]),
  migration(
    '0003_writer',
    'maintained columns, from inserts',
    'when (new.%2$I <> %3$s and not is_internal_write())',
    'when (false)',
    ['visibility'],
  ),
  migration(
    '0003_writer',
    'maintained columns, from updates',
    'when (old.%2$I <> new.%2$I and not is_internal_write())',
    'when (false)',
    ['visibility'],
  ),
  migration(
    '0004_maintained',
    'badges of draft collections, when they are inserted',
    "select call_after('insert update', 'timeline_items', 'maintain_badges');\n",
    '',
  ),
  migration(
    '0004_maintained',
    'badges of collections whose state changes',
    "select call_after('insert update delete truncate', 'collections', 'follow_collections');\n",
    '',
    ['worlds'],
  ),
  migration(
    '0004_maintained',
    'takedowns that come after the row',
    'create trigger maintain_takedown after insert or update or delete on takedowns',
    'create trigger maintain_takedown after update on takedowns',
  ),
  migration(
    '0004_maintained',
    'takedowns that come before the row',
    "perform call_after('insert update', t, 'apply_takedowns');",
    "perform call_after('update', t, 'apply_takedowns');",
  ),
  migration(
    '0004_maintained',
    'takedowns, from TRUNCATE',
    'before truncate on takedowns\n',
    'before truncate on sponsors\n',
    ['visibility'],
  ),
  migration(
    '0004_maintained',
    'the flag of a takedown, from writers',
    "    perform reject_column(t, 'is_taken_down', 'false');\n",
    '',
    ['visibility'],
  ),
  migration(
    '0004_maintained',
    'the flag of a badge, from writers',
    "  perform reject_column('timeline_items', 'is_badge_public', 'true');\n",
    '',
    ['maintained'],
  ),
  migration(
    '0004_maintained',
    'the flags of parents, from writers',
    "  perform reject_column('collection_holders', 'is_collection_public', 'true');\n  perform reject_column('bounty_submissions', 'is_bounty_open', 'true');\n",
    '',
    ['maintained'],
  ),
  migration(
    '0004_maintained',
    'new badges of hidden collections',
    "select call_after('insert update', 'collection_holders', 'maintain_holders');\n",
    '',
  ),
  migration(
    '0004_maintained',
    'badges of collections that are hidden later',
    ', flip_holders(array_agg(c.address))',
    '',
  ),
  migration(
    '0004_maintained',
    'new submissions of hidden bounties',
    "select call_after('insert update', 'bounty_submissions', 'maintain_submissions');\n",
    '',
  ),
  migration(
    '0004_maintained',
    'submissions of bounties that are hidden later',
    "select call_after('update', 'bounties', 'follow_bounties');\n",
    '',
  ),
  {
    keeps: "the operator's tables, from the server",
    file: 'src/db/schema/rights.ts',
    text: "const unread = ['erasures', 'import_checkpoints', 'import_keys', 'rejected_changes', 'takedowns'];",
    without: 'const unread: string[] = [];',
    tests: ['constraints'],
  },
  {
    keeps: 'the locks of writers, from the server',
    file: 'src/db/schema/rights.ts',
    text: "const locks = ['journal_lock', 'turns', 'writer_lock'];",
    without: 'const locks: string[] = [];',
    tests: ['constraints'],
  },
  {
    keeps: 'that a cache shows no stale response',
    file: 'src/http/cache.ts',
    text: ', must-revalidate`',
    without: '`',
    tests: ['caching'],
  },
  {
    keeps: 'that a server stops serving when it cannot read the schema',
    file: 'src/db/schema/readiness.ts',
    text: 'if (unknown !== undefined)',
    without: "if (unknown === '')",
    tests: ['upgrade'],
  },
  feed('feed/part', 'that a deferred delete hides its row', 'await restrictDeleted(work.client, table, key)', 'false', [
    'apply',
  ]),
  feed(
    'feed/part',
    'that a rejected change can still hide its row',
    'isPut && (await restrictRow(work.client, table, key, change.record))',
    'isPut && false',
    ['apply'],
  ),
  feed(
    'feed/batch',
    'that a record which names an erased person is not applied',
    'if (record === null) return skipped(change.body);',
    '',
    ['erase'],
  ),
  feed('feed/change', 'that a malformed message can still hide its row', 'parseLoosely(body)', 'undefined', ['apply']),
  feed(
    'feed/change',
    'that no change creates an API key',
    "tables.filter(({ name }) => name !== 'api_keys')",
    'tables',
    ['apply'],
  ),
  feed(
    'feed/nats-start',
    'that a restored stream is noticed',
    'held.id !== messageId || held.at !== messageAt',
    'false',
    ['follow'],
  ),
  feed(
    'operator/replay',
    'that an erased person is erased again after a restore',
    'people.set(entry.user, [erasedStep(entry.user)]);',
    '',
    ['journal'],
  ),
  feed(
    'operator/replay',
    'that a revoked key is revoked again after a restore',
    'where id = $1 and revoked_at is null',
    'where id = $1 and false',
    ['journal'],
  ),
  feed(
    'operator/replay',
    'that a hidden row is hidden again after a restore',
    '? hiddenStep(entry) : shownStep(entry)',
    "? shownStep({ ...entry, act: 'unhide' }) : shownStep(entry)",
    ['journal'],
  ),
  {
    keeps: 'that a revocation is in the journal before it is committed',
    file: 'src/operator/keys.ts',
    text: "  await journal(client, journalPath, { act: 'key revoke', key: id });\n  await client.query('commit');",
    without: "  await client.query('commit');\n  await journal(client, journalPath, { act: 'key revoke', key: id });",
    tests: ['journal'],
  },
  feed('feed/follow', 'that a load is not undone by older changes', 'snapshot.contains(xid)', 'xid < 0n', ['follow']),
  feed(
    'feed/nats-source',
    'that a missing message is noticed',
    'if (sequence !== first + n)',
    'if (sequence < first)',
    ['follow'],
  ),
  feed(
    'feed/outbox-statements',
    'that a row with the id of a lost one is applied',
    'where o.hash = k.hash`',
    'where o.hash is not null`',
    ['follow-outbox'],
  ),
  feed(
    'feed/outbox-source',
    'that a database restored from a backup stops the follower',
    'if (released > reached)',
    'if (released > Number.MAX_SAFE_INTEGER)',
    ['follow-outbox'],
  ),
  feed(
    'feed/outbox-source',
    'that applied rows which come back are not applied again',
    'if (released < reached) await completeRelease(client, released);',
    '',
    ['follow-outbox'],
  ),
  feed(
    'feed/outbox-source',
    'that a follower notices another one that deletes from its outbox',
    'position.applied !== String(expected)',
    'false',
    ['follow-outbox'],
  ),
  feed(
    'feed/outbox-source',
    'that a load older than deleted changes stops the follower',
    'parseSnapshot(loadSnapshot)?.contains(BigInt(xid)) !== true',
    'parseSnapshot(loadSnapshot) === null',
    ['follow-outbox'],
  ),
  {
    keeps: 'that a rejected record can still hide its row',
    file: 'src/load/import.ts',
    text: 'if (row !== undefined) await restrictRow(client, table, row.key, row.record);',
    without: 'if (row === undefined) continue;',
    tests: ['prune'],
  },
  migration(
    '0006_feed',
    'that erased users stay erased',
    "select call_after('insert update', 'users', 'reject_erased');",
    '',
    ['erase'],
  ),
  http('jwt', 'the allowed signature algorithms of JWTs', '          algorithms: [...options.algorithms],\n', '', [
    'tokens',
    'matrix',
  ]),
  http('jwt', 'the issuer of JWTs', '          issuer: options.issuer,\n', '', ['tokens']),
  http('jwt', 'the audience of JWTs', '          audience: options.audience,\n', '', ['tokens']),
  http(
    'jwt',
    'the longest lifetime of JWTs',
    '          Number(exp) <= now + options.maxLifetimeSeconds + options.clockToleranceSeconds &&\n',
    '',
    ['tokens'],
  ),
  http('jwt', 'that a JWT is an access token', '          isAccessToken(protectedHeader.typ) &&\n', '', ['tokens']),
  http('jwt', 'that a JWT is not of the future', '(iat ?? 0) <= now + mostAheadSeconds', 'true', ['tokens']),
  http('jwt', 'that the subject is a valid user id', 'isSound && isUserId(sub)', "isSound && typeof sub === 'string'", [
    'tokens',
  ]),
  http('auth', 'that keys are of an accepted kind', ' && kinds.includes(kind)', '', ['tokens']),
  http(
    'auth',
    'that a request with two credentials is rejected',
    "  if (another !== undefined) throw unauthorized('Send one Authorization header, not several');\n",
    '',
    ['access'],
  ),
  http(
    'cache',
    'that private responses are not stored in caches',
    "if (cache === 'private' || (cache === 'mixed' && hasCredential)) return 'private, no-store';",
    '',
    ['matrix'],
  ),
  http(
    'route',
    'that private responses are not compressed',
    "const encoding = isPublic ? chooseEncoding(request.headers['accept-encoding'], offered) : 'identity';",
    "const encoding = chooseEncoding(request.headers['accept-encoding'], offered);",
    ['caching'],
  ),
  http(
    'admission',
    'the limit on guessing credentials',
    'done(standing.isOver ? tooMany(account, standing) : undefined);',
    'done(undefined);',
    ['limits'],
  ),
  http(
    'limits',
    'one budget per token, whatever its signature',
    "token.startsWith('chk_') ? token : token.slice(0, token.lastIndexOf('.'))",
    'token',
    ['tokens'],
  ),
  http(
    'jwt',
    'one spelling of a signature, so that a token has one limit',
    "if (!isCanonical(token.slice(token.lastIndexOf('.') + 1))) return null;",
    '',
    ['tokens'],
  ),
  http('mcp', 'that pages of other origins call no tools', 'checkOrigin(request.headers.origin, apiUrl());', '', [
    'mcp',
  ]),
  http(
    'mcp',
    'that a tool call is charged to the address of its caller',
    "remoteAddress: ip || '::'",
    "remoteAddress: '::'",
    ['mcp'],
  ),
  http('mcp-message', 'one message per request: a batch would be charged as one', 'Array.isArray(message)', 'false', [
    'mcp',
  ]),
  replica(
    'that a revoked key is rejected at once',
    'const db = dbOf(app, request, false);',
    'const db = dbOf(app, request, true);',
    'http/route',
  ),
  replica(
    'that requests with a credential are served by the primary',
    'db: dbOf(app, request, caller === null || caller === undefined),',
    'db: dbOf(app, request, true),',
    'http/route',
  ),
  replica('that a lagging replica is not read from', 'lagMs <= maxLagMs &&', '', watch),
  replica('that a replica without the schema is not read from', 'freshAt >= requiredAt &&', '', watch),
  replica('that hidden rows do not stay public forever', '&& !isLostForLong', '', watch),
  replica(
    'that reads which wait for a frozen replica are retried elsewhere',
    'if (!isNow) onUnusable(index);',
    '',
    watch,
  ),
  replica(
    'that a read which fails on a replica is retried on another one',
    'if (!isWorthAnother(error)) throw error;',
    'throw error;',
  ),
  replica('that a promoted replica is not read from', '!answer.isInRecovery', 'false', 'db/connection/lag', ['lag']),
  changes(
    'log',
    'the key of a row that is taken down before it comes from copies',
    ` or current_setting('commonhall.correction', true) = '${'$'}{table.name}'`,
    '',
  ),
  changes('log', 'the state after all triggers from the log', "'x.is_taken_down',", "'false',"),
  changes('log', 'that copies drop what was deleted below a hidden row', "'f.was <> f.is_now', ", "'false', "),
  changes('log', 'that what is below a row moves with it', '...parentColumns(table.name), ', ''),
  changes(
    'log',
    'that copies drop what was below a row that comes again',
    '${below[table.name] !== undefined}',
    'false',
  ),
  changes('log', 'which submission has won from copies', 'over(row, shownAs ?? `t.${name}`)', 'over(row, `t.${name}`)'),
  changes('log', 'that copies drop the timeline of a user who is deactivated', "users: ['is_public'],", ''),
  changes('statements', 'rows that are hidden again from copies', '      and ${isPublic(table)}`;', '`;'),
  changes(
    'statements',
    'rows that are not public from the walk',
    'case when ${isPublic(table)} then ${record(table)} end, ${person(table)}\n  from (\n    select * from',
    '${record(table)}, ${person(table)}\n  from (\n    select * from',
  ),
  changes('pages', 'that a restored database is noticed', ' || at.nonce !== since.nonce', ''),
  changes(
    'pages',
    'that what is below a row is removed before it is read again',
    'if (cut === 0 && first !== undefined)',
    'if (false as boolean && first !== undefined)',
  ),
  changes(
    'pages',
    'that people come with the records that name them',
    'if (person !== null && record !== null) named.add(person);',
    '',
  ),
  feed(
    'operator/erase',
    'an erased person from the log of public changes',
    "await client.query('select lists.blank_changes($1, $2, $3)', [id, keyedByPerson, hashOf(id)]);",
    '',
    ['changes'],
  ),
  feed(
    'feed/mirror-source',
    'that a mirror drops what a new walk has not met',
    'if (isInWalk(cursor) && !isInWalk(next))',
    'if (false as boolean)',
    ['mirror'],
  ),
];

const root = resolve(import.meta.dirname, '..');

/** The problem with a guard's text, or null: it must occur in its file exactly once. */
export const misplaced = ({ file, text }: Guard, within = root): string | null => {
  const count = readFileSync(join(within, 'packages/server', file), 'utf8').split(text).length - 1;
  return count === 1 ? null : `${file}: ${JSON.stringify(text)} occurs ${count} times`;
};

/** A copy of the sources, in which a guard is removed while its tests run. */
const openCopy = () => {
  const copy = mkdtempSync(join(tmpdir(), 'commonhall-guards-'));
  const wanted = (path: string) => !/(^|\/)(node_modules|\.git)$/.test(path);
  cpSync(root, copy, { recursive: true, filter: wanted });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // Without a guard a test may wait without limit: that is noticed too.
  const env = { TEST_LIMIT_MS: String(10 * 60_000), ...process.env };
  const run = (args: readonly string[]) =>
    new Promise<{ failed: boolean; said: string }>((resolve) => {
      execFile(process.execPath, args, { cwd: copy, env, maxBuffer: 2 ** 28 }, (error, stdout, stderr) =>
        resolve({ failed: error !== null, said: stdout + stderr }),
      );
    });
  /** The first error that the tests print; null when all pass. */
  const complaint = async (tests: readonly string[]): Promise<string | null> => {
    const files = tests.map((name) => `packages/server/test/${name}{,.system}.test.ts`);
    const { failed, said } = await run(['test/run.ts', '--stop', ...files]);
    return failed ? (/^ *\w*Error\b.*/m.exec(said)?.[0].trim() ?? said.trim()).slice(0, 200) : null;
  };
  const write = (file: string, text: string): void => writeFileSync(join(copy, 'packages/server', file), text);
  return {
    complaint,
    without: async (guard: Guard): Promise<string | null> => {
      const problem = misplaced(guard, copy);
      if (problem !== null) throw new Error(problem);
      const original = readFileSync(join(copy, 'packages/server', guard.file), 'utf8');
      write(
        guard.file,
        original.replace(guard.text, () => guard.without),
      );
      const noticed = await complaint(guard.tests);
      write(guard.file, original);
      return noticed;
    },
    remove: () => rmSync(copy, { recursive: true }),
  };
};

const removeEach = async (): Promise<boolean> => {
  const [first = 1, last = guards.length] = process.argv.slice(2).map(Number);
  const taken = guards.slice(first - 1, last);
  const left = [...taken.entries()];
  let unnoticed = 0;
  const work = async () => {
    const copy = openCopy();
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, guard] = next;
      const noticed = await copy.without(guard);
      if (noticed === null) unnoticed += 1;
      const result = noticed === null ? 'NOT NOTICED' : 'noticed';
      console.log(`${first + index}/${guards.length} ${result}: ${guard.keeps} (${guard.file}) ${noticed ?? ''}`);
    }
    copy.remove();
  };
  const whole = openCopy();
  const failure = await whole.complaint([...new Set(taken.flatMap(({ tests }) => tests))]);
  whole.remove();
  if (failure !== null) throw new Error(`the tests fail with every guard in place: ${failure}`);
  await Promise.all(Array.from({ length: 2 }, work));
  console.log(`${taken.length} guards removed, ${unnoticed} not noticed`);
  return unnoticed === 0;
};

if (process.argv[1] === import.meta.filename && !(await removeEach())) process.exitCode = 1;
