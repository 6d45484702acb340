// How public rows depend on each other: which rows are below a row, and are public only if it is, and which records
// change because another row does.
import { hash } from 'node:crypto';
import { selectList } from '../records/shown.ts';
import { tables } from '../records/tables.ts';

/** The tables of the feed: those of the public export. */
export const fed = tables.filter(({ publicRows }) => publicRows !== null);
/** Names what is public: copies of another version begin again. */
export const publicVersion = hash(
  'sha256',
  fed.map((table) => table.publicRows + selectList(table, false)).join(),
).slice(0, 16);
export const fedTable = (name: string) => {
  const found = fed.find((table) => table.name === name);
  if (found === undefined) throw new Error(`${name} is not in the feed`);
  return found;
};

type Kind = 'text' | 'instant' | 'integer';
/** A column of an order, and what its values look like in a cursor. */
export type Step = readonly [column: string, kind: Kind];

export interface Below {
  table: string;
  /** The column that names the row above. */
  column: string;
  /** The order in which they are read, by an index that begins with the column. */
  order: readonly Step[];
  /** SQL over the row above, `p`: what else it must be, besides public, to show them. */
  shownBy?: string;
}
const id: Step = ['id', 'text'];
const created: Step = ['created_at', 'instant'];
const byPosition: readonly Step[] = [['position', 'integer']];

export const below: Readonly<Record<string, readonly Below[]>> = {
  users: [{ table: 'timeline_items', column: 'user_id', order: [id] }],
  bounties: [
    { table: 'bounty_submissions', column: 'bounty_id', order: [created, id], shownBy: 'p.submissions_visible' },
  ],
  bounty_submissions: [{ table: 'bounty_submission_makers', column: 'submission_id', order: byPosition }],
  launches: [
    { table: 'launch_topics', column: 'launch_id', order: byPosition },
    { table: 'launch_makers', column: 'launch_id', order: byPosition },
  ],
  collections: [
    {
      table: 'collection_holders',
      column: 'collection_address',
      order: [
        ['acquired_at', 'instant'],
        ['user_id', 'text'],
      ],
    },
    {
      table: 'collection_contests',
      column: 'collection_address',
      order: [
        ['contest_id', 'text'],
        ['role', 'text'],
      ],
    },
  ],
  contests: [
    { table: 'contest_submissions', column: 'contest_id', order: [created, id] },
    {
      table: 'collection_contests',
      column: 'contest_id',
      order: [
        ['collection_address', 'text'],
        ['role', 'text'],
      ],
    },
  ],
  contest_submissions: [
    {
      table: 'contest_submission_supporters',
      column: 'submission_id',
      order: [['tier_place', 'integer'], created, ['user_id', 'text']],
    },
  ],
};

/** A table below a row, directly or through a table between, as it is read. */
export interface Branch {
  child: Below;
  /** The table between, whose rows are below the row; null: none. */
  through: Below | null;
}
/** Everything below a row of a table, in the order in which it is read. */
export const branchesOf = (table: string): Branch[] =>
  (below[table] ?? []).flatMap((child): Branch[] => [
    { child, through: null },
    ...(below[child.table] ?? []).map((inner) => ({ child: inner, through: child })),
  ]);

/** Records that change because a column of another row does: SQL over that row `n` and the row `t` whose record changes. */
export const touches: readonly { by: string; column: string; table: string; rows: string }[] = [
  {
    by: 'bounties',
    column: 'is_completed',
    table: 'bounty_submissions',
    rows: `t.bounty_id = n.id and (t.status = 'WINNER' or t.prize_place is not null)`,
  },
  {
    by: 'repositories',
    column: 'is_public',
    table: 'contest_submissions',
    rows: 't.repository_platform = n.platform and t.repository_platform_id = n.platform_id',
  },
];
