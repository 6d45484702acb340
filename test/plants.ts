// node test/plants.ts [first [last]], or three or more numbers: plants small mistakes in a copy of the sources, one at a
// time, each as a tired programmer could make it, and runs the tests that must then fail. Exits with status 1 if they
// still pass. Where private data is at stake, guards.ts does the same.
import type { Mutation } from './helpers/mutations.ts';
import { noticedEach } from './helpers/mutations.ts';

const plants: Mutation[] = [];
/** Adds mistakes of one file: what is wrong, the text, and what replaces it. */
const plant = (file: string, tests: string[], ...mistakes: [what: string, text: string, instead: string][]): void => {
  for (const [what, text, instead] of mistakes) plants.push({ what, file, text, instead, tests });
};

// Blocks, pages and totals of lists.
plant(
  'src/db/lists/generator-blocks.ts',
  ['blocks'],
  ['a block begins one row too late', 'r.place > 0 and r.place % ${size} = 0', 'r.place > 0 and r.place % ${size} = 1'],
  [
    'a row at the beginning of a block belongs to the block before',
    "(${keyOf('k')}) <= (${at})",
    "(${keyOf('k')}) < (${at})",
  ],
  ['a group does not count the pieces of its blocks', 'set blocks = u.blocks + pieces', 'set blocks = u.blocks'],
  [
    'the first block of a group is deleted',
    'elsif old_block.rows = 0 and not exists (',
    'elsif old_block.rows = 0 and exists (',
  ],
);
plant(
  'src/db/lists/generator.ts',
  ['blocks'],
  ['a list becomes long one row too early', '(${row}.rows > case when', '(${row}.rows >= case when'],
);
plant(
  'src/db/lists/pages.ts',
  ['totals'],
  [
    'a page at the beginning of a block is read from the one before',
    'where s.before <= ${place}',
    'where s.before < ${place}',
  ],
  ['only half of the blocks of a group are looked at', 'plain(String(2 * fan + 1))', 'plain(String(fan))'],
  ['the last page of a descending order has rows of the page before', 'least(${all}, ${total} - ${from})`', '${all}`'],
  [
    'a filtered page takes all of its rows from each block',
    'least(${begin} + ${wanted} - b.before, b.rows)',
    'least(${wanted}, b.rows)',
  ],
);
plant(
  'src/db/lists/pages.ts',
  ['pages'],
  ['rows without a value are in a range without an end', "to: range.to ?? 'infinity'", 'to: range.to'],
);
plant(
  'src/db/lists/totals.ts',
  ['pages', 'counts'],
  ['short lists are counted twice', ' and not ${isLong}`', '`'],
  [
    'the last block is counted as a whole',
    'sql`(${keys(alias)}) < (${keys(key)})`',
    'sql`(${keys(alias)}) <= (${keys(key)})`',
  ],
);
plant(
  'src/db/lists/counts.ts',
  ['counts'],
  ['a block over two buckets is counted in both', 'm.sign * x.n', 'x.n'],
  [
    'the range ends in a bucket that is not in it',
    "p.high at time zone 'UTC' - interval '1 ms'",
    "p.high at time zone 'UTC'",
  ],
);
plant(
  'src/db/page.ts',
  ['pages'],
  [
    'a page that is only nearly complete is sent',
    'page.itemCount === Math.max(0, Math.min(window.limit, page.total - Number(window.offset)))',
    'page.itemCount > 0',
  ],
);

// Versions of lists.
plant(
  'src/db/lists/install.ts',
  ['list-versions'],
  [
    'lists are dropped before servers stop reading them',
    "await client.query('update installed set is_retired = true where name = any ($1)', [names]);",
    '',
  ],
  ['an index whose build was interrupted is kept', 'if (isValid === true) return;', 'if (isValid !== null) return;'],
);

// Applying a batch of changes.
plant(
  'src/feed/batch.ts',
  ['apply'],
  [
    'a change that waits is stored after the delete that drops it',
    'dropsAt === -1 &&\n    sorted.some(',
    'sorted.some(',
  ],
  [
    'a wrong change replaces a waiting one that could be applied now',
    'if (!work.someRejected || wrong.length === 0) return [part];',
    'if (!work.someRejected || wrong.length >= 0) return [part];',
  ],
  ['rows that exchange a unique value wait forever', 'if (chain.length > 1) await attemptPart(work, chain);', ''],
);
plant(
  'src/feed/part.ts',
  ['apply'],
  [
    'an older change that waits is applied after a newer one',
    'if (work.someRejected) await forgetRejected(work.client, part);',
    '',
  ],
  ['a change of a row below a deleted one comes back', 'if (work.someRejected) await dropBelow(work, valid);', ''],
  ['unique values are checked only at the commit', 'if (puts.size > 0)\n', 'if (puts.size < 0)\n'],
  [
    'a wrong change stays although a good one followed',
    'if (isWrong && (row === null || !replaced.has(row)))',
    'if (isWrong)',
  ],
);
plant(
  'src/feed/segments.ts',
  ['apply'],
  ['a row that is deleted and put again is deleted last', 'deleted.has(rowOf(change)) ||', ''],
);
plant(
  'src/feed/rejected.ts',
  ['apply'],
  [
    'one unreadable change too few is stored',
    'offset ${mostUnreadable} limit 1',
    'offset ${mostUnreadable - 1} limit 1',
  ],
);

// The log of public changes, and mirrors.
plant(
  'src/changes/pages.ts',
  ['changes'],
  [
    'a page says that it is the end, and there is one entry more',
    'limit ${most.rows + 1}::bigint',
    'limit ${most.rows}::bigint',
  ],
  ['a walk ends where many rows are not public', 'if (isAll && found.length < mostLooked)', 'if (isAll)'],
);
plant(
  'src/changes/cursor.ts',
  ['changes'],
  ['copies do not begin again when other columns are public', " ' ${publicVersion}'), 8)`", " ' '), 8)`"],
);
plant(
  'migrations/0006_feed.sql',
  ['changes'],
  ['the log is kept for hours and not for days', "interval '7 days'", "interval '7 hours'"],
);
plant(
  'src/visibility/public-rows.ts',
  ['changes'],
  [
    'makers of launches that are not public are shown',
    'where m.user_id = ${id} and l.is_public)',
    'where m.user_id = ${id})',
  ],
);
plant(
  'src/feed/mirror-source.ts',
  ['mirror'],
  [
    'lines before a delete of several rows are applied after it',
    'if (ready.length > 0) yield batchOf(ready);\n      ready = [];',
    '',
  ],
);
plant(
  'src/feed/mirror-source.ts',
  ['mirror-waiting'],
  [
    'what waits is kept when a mirror begins again',
    "await client.query('delete from import_keys; delete from rejected_changes');",
    "await client.query('delete from import_keys');",
  ],
  [
    'a person who is erased at the origin stays in the log here',
    "await client.query('select lists.blank_changes($1, $2, $3)', [id, keyedByPerson, sha256]);",
    'void [id, keyedByPerson, sha256];',
  ],
);

// The follower, its position and its lease.
plant(
  'src/feed/follow.ts',
  ['follow'],
  [
    'a load ends with a mark from before it',
    'const endsLoad = snapshot !== null && xid !== null && snapshot.isBefore(xid);',
    'const endsLoad = snapshot !== null && xid !== null;',
  ],
  [
    'a load never ends',
    'marks.some(({ endsLoad }) => endsLoad) ? null : position.loadSnapshot;',
    'position.loadSnapshot;',
  ],
  [
    'the position is that of the whole batch where only a part of it is done',
    'const last = messages.at(-1) as Message;',
    'const last = items.at(-1)?.message as Message;',
  ],
  [
    'commit instead of rollback when the lease is lost',
    "await client.query(next === null ? 'rollback' : 'commit');",
    "await client.query('commit');",
  ],
  ['a change is set aside because the database had a problem', 'if (!isCausedByMessage(error)) throw error;\n', ''],
  ['a change that stops its batch does not hide its row', "keepsRow ? { asked: 'put', table, key, record } : {}", '{}'],
  [
    'what waits is not tried at the start and every minute',
    'waitingSince(client, triedBefore, sweepMost)',
    'waitingSince(client, triedBefore, 0)',
  ],
  [
    'a follower works although a load is not complete',
    'if (position.isLoading) throw',
    'if (position.isLoading && position.stream !== null) throw',
  ],
  ['a follower works beside an import', 'await takeLoadTurn(client, url);', ''],
);
plant(
  'src/feed/follow.ts',
  ['follow-outbox'],
  [
    'the rows are remembered after the commit',
    "if (next !== null) await source.remember(client, messages);\n    crashPoint('follow: rows remembered');\n    await client.query(next === null ? 'rollback' : 'commit');",
    "await client.query(next === null ? 'rollback' : 'commit');\n    if (next !== null) await source.remember(client, messages);",
  ],
);
plant(
  'src/feed/position.ts',
  ['follow'],
  ['the time of the newest mark is lost with a batch that has none', 'as_of = greatest(as_of, $6)', 'as_of = $6'],
  [
    'a follower writes without the lease',
    'and exists (select from feed_lease where holder = $13)',
    'and $13::text is not null',
  ],
);
plant(
  'src/feed/lease.ts',
  ['follow'],
  [
    'a lease that has not expired is taken',
    'or o.expires_at < clock_timestamp()\n',
    "or o.expires_at < clock_timestamp() + interval '2.5 s'\n",
  ],
  ['a paused follower keeps its transaction', 'await endOthers(client, holder, taken.before);', ''],
  ['a follower does not notice that its lease was taken', 'if (rowCount === 0) lost.abort();', ''],
  [
    'a follower that stops releases the lease of another',
    'expires_at = null where holder = $1',
    'expires_at = null where holder is not null or holder = $1',
  ],
);
plant(
  'src/feed/outbox-source.ts',
  ['follow-outbox'],
  [
    'a mark comes before the rest of the rows',
    'isAll: rows.length < mostRows && (rows[0]?.found ?? 0) === rows.length',
    'isAll: rows.length < mostRows',
  ],
  ['a full batch counts as the end', 'isAll: rows.length < mostRows &&', 'isAll: rows.length <= mostRows &&'],
  ['only the newest batch is remembered', '[reached + rows.length - mostRemembered]', '[reached]'],
  [
    'marks of a clock that is ahead are set aside, one a second',
    "if (readChange(body).op === 'invalid')",
    "if (readChange(body).op === 'put')",
  ],
);
plant(
  'src/feed/outbox-statements.ts',
  ['follow-outbox'],
  [
    'rows are released twice',
    'where applied = $3 and outbox::text = $5',
    'where $3::bigint is not null and outbox::text = $5',
  ],
);
plant('src/feed/gather.ts', ['gather'], ['reading never goes on after a pause', 'if (!isFull()) resume();', '']);
plant(
  '../../examples/platform/relay.ts',
  ['relay'],
  [
    'a message that the stream already has counts as published',
    'if (seq !== last + index + 1) throw',
    'if (seq < 0) throw',
  ],
  [
    'a stream that has lost messages is continued',
    'if (Number(rows[0]?.last ?? 0) > state.last_seq)',
    'if (Number(rows[0]?.last ?? 0) < 0)',
  ],
  [
    'a mark comes before the rest of the rows',
    'rows.length < batchSize && (rows[0]',
    'rows.length <= batchSize && (rows[0]',
  ],
);
plant(
  'src/records/snapshot.ts',
  ['follow'],
  ['a load contains the transaction after it', '(xid < xmax && !running', '(xid <= xmax && !running'],
);

// Import, prune, and what the operator does.
plant(
  'src/load/import.ts',
  ['dataset', 'import-kill'],
  [
    'a batch and its checkpoint are not one transaction',
    'if (!options.oneTransaction) await client.query(beginWriting);',
    '',
  ],
  [
    'an import that was interrupted begins again',
    'if (line.endOffset < checkpoint.bytes) continue;',
    'if (line.endOffset <= checkpoint.bytes) continue;',
  ],
  [
    'a checkpoint of another file is used',
    'if (line.endOffset > checkpoint.bytes || digest() !== checkpoint.digest)',
    'if (line.endOffset > checkpoint.bytes)',
  ],
);
plant(
  'src/load/prune.ts',
  ['prune'],
  ['a tenth is read as ten times', 'if (rows > size * freePart)', 'if (rows > size / freePart)'],
  ['any number of rows confirms', 'confirmed.get(name) === rows', 'confirmed.has(name)'],
  ['the rows of another load are remembered', "await client.query('delete from outbox_rows');", ''],
  ['changes from before a load wait on', "await client.query('delete from rejected_changes');", ''],
);
plant(
  'src/commands/import.ts',
  ['prune', 'dataset'],
  [
    'followers may start while a load is under way',
    "'update feed set is_loading = true, as_of = null'",
    "'update feed set as_of = null'",
  ],
  [
    'old records are loaded beside a stream',
    'if (manifest === null && followed !== null) refuseBesideStream(followed, sources);',
    '',
  ],
);
plant(
  'src/operator/journal.ts',
  ['journal'],
  ['a line follows one that was cut off', "=== '\\n' ? '' : '\\n'}${line}", "=== '\\n' ? '' : ''}${line}"],
  ['a line that was written in part stays', 'if (fstatSync(file).isFile()) ftruncateSync(file, size);', ''],
);

// Replicas.
plant(
  'src/db/connection/replica-watch.ts',
  ['replicas'],
  ['the bound of the lag is read in seconds', 'lagMs <= maxLagMs &&', 'lagMs / 1000 <= maxLagMs &&'],
  ['a replica that has fallen silent is used', 'now - answeredAt <= maxLagMs &&', ''],
  ['the primary is lost anew with each probe', 'if (lostAt !== null) return;\n    lostAt = lag', 'lostAt = lag'],
);
plant(
  'src/db/connection/lag.ts',
  ['lag'],
  [
    'a replica that has everything of an idle primary is behind',
    '(({ position }) => position <= answer.position)',
    '(({ position }) => position < answer.position)',
  ],
  [
    'a replica that stands still counts as one that follows the new primary',
    'answer.position > firstPosition',
    'answer.position >= firstPosition',
  ],
  ['positions of the old primary are compared with those of the new one', 'last.timeline !== answer.timeline || ', ''],
);

// Limits, queues and credentials.
plant(
  'src/http/budget.ts',
  ['budget', 'limits'],
  ['the last unit of a budget is refused', 'isOver: used > limit', 'isOver: used >= limit'],
);
plant(
  'src/http/limits.ts',
  ['limits', 'tokens'],
  ['each address of a network of IPv6 has a budget', '.parts.slice(0, 4)', '.parts.slice(0, 8)'],
);
plant(
  'src/db/connection/queue.ts',
  ['queue'],
  ['a caller holds more than half of the places', '(held.get(who) ?? 0) >= half', '(held.get(who) ?? 0) > half'],
);
plant(
  'src/http/auth.ts',
  ['tokens', 'access'],
  ['test keys are accepted where only live ones are', 'kinds.includes(kind) && ', ''],
);

export { plants };

if (process.argv[1] === import.meta.filename && !(await noticedEach(plants, 1))) process.exitCode = 1;
