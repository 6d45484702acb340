// Why a row is not public (gap G11): for each table the conditions in their order of priority, as SQL over a row `t`, with
// the text for the operator. A row counts under the first condition that it meets. The predicate itself is is_public.
import { registryForm } from '../db/registration.ts';
import { publicStates, visibilityShows } from './states.ts';
import { meansHidden, suggestedWord } from './suggestions.ts';

export interface Condition {
  when: string;
  /** SQL for the value that the text names; rows with the same value are counted together. */
  detail?: string;
  text: (detail: string) => string;
}

const sqlList = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');
const said = (words: readonly string[]): string =>
  words.length === 1 ? `not ${words[0]}` : `not one of ${words.join(', ')}`;

/**
 * The text about a state in which rows are not public.
 * @param visibilityHelps whether `visibility` can show a row in another state.
 */
export const stateText = (words: readonly string[], visibilityHelps: boolean) => (status: string) => {
  const what = `status ${JSON.stringify(status)} is ${said(words)}`;
  const suggestion = suggestedWord(status, words);
  const remedy = visibilityHelps ? ', or set visibility to "public"' : '';
  if (suggestion !== undefined) return `${what}; did you mean ${suggestion}? (write that${remedy})`;
  return meansHidden(status)
    ? what
    : `${what} (to show them, write ${words.length === 1 ? 'that' : 'one of these'}${remedy})`;
};

/** A state, and the timestamps that a public row of the table needs and this row lacks. */
const withTimes = (words: readonly string[], times: readonly string[], noun: string) => ({
  detail: `concat_ws(E'\\x1f', t.status, coalesce(t.visibility, ''), ${times
    .map((column) => `case when t.${column} is null then '${column}' end`)
    .join(', ')})`,
  text: (detail: string): string => {
    const [status = '', visibility = '', ...missing] = detail.split('\x1f');
    const isStateRight = visibility === 'public' || words.includes(status);
    const state = isStateRight ? [] : [stateText(words, true)(status)];
    const needs = `a public ${noun} needs ${times.join(' and ')}, and ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} null`;
    return [...state, ...(missing.length === 0 ? [] : [needs])].join('; ');
  },
});

const takenDown: Condition = { when: 't.is_taken_down', text: () => 'taken down by the operator' };
/** A rejected change hides its row by `visibility` (restrict.ts): then the platform has not said so. */
const isRejected = (table: string, key: string): string =>
  `exists (select from rejected_changes r where r.table_name = '${table}' and r.key = array[t.${key}]::text[])`;
const rejectedText = 'their last change was rejected; see: commonhall rejected';
const withheld = (table: string, key = 'id'): Condition => ({
  when: `t.visibility = 'hidden'`,
  detail: `case when ${isRejected(table, key)} then 'rejected' end`,
  text: (detail) => (detail === 'rejected' ? rejectedText : 'visibility is "hidden"'),
});
const state = (words: readonly string[], visibilityHelps: boolean): Condition => ({
  when: `${visibilityHelps ? `t.visibility is distinct from 'public' and ` : ''}t.status not in (${sqlList(words)})`,
  detail: 't.status',
  text: stateText(words, visibilityHelps),
});
/** The usual conditions for one of the seven tables with `visibility`. */
const stated = (table: keyof typeof publicStates): Condition[] => [
  takenDown,
  withheld(table),
  state(publicStates[table], visibilityShows(table)),
];
const hiddenParent = (noun: string, table: string, key: string, column: string): Condition => ({
  when: `not exists (select from ${table} p where p.${key} = t.${column} and p.is_public)`,
  text: () => `their ${noun} is not public`,
});
/** A submission as the parent: it is shown only while its own parent is. */
const hiddenSubmission = (isShown: string): Condition => ({
  when: `not ${isShown}`,
  text: () => 'their submission is not public',
});
const launch = hiddenParent('launch', 'launches', 'id', 'launch_id');
const collection = hiddenParent('collection', 'collections', 'address', 'collection_address');
const loaded = 'exists (select from collections c where c.address_key = t.collection_key)';
const badges: Condition[] = [
  {
    when: `not t.is_badge_public and not ${loaded}`,
    detail: `left(t.details ->> 'collectionAddress', 101)`,
    text: (address) => `collection ${address} is not loaded`,
  },
  { when: 'not t.is_badge_public', text: () => 'their collection is not public' },
];

export const hiddenConditions: Readonly<Record<string, readonly Condition[]>> = {
  users: [
    { when: `not t.is_public and ${isRejected('users', 'id')}`, text: () => rejectedText },
    {
      when: `lower(t.status) not in (${sqlList(publicStates.users.map((word) => word.toLowerCase()))})`,
      detail: 't.status',
      text: (status) => {
        const suggestion = suggestedWord(status, publicStates.users);
        const question = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
        return `status ${JSON.stringify(status)} is not ${publicStates.users.join(' or ')}${question} (their pages and credentials are off; they stay visible where they are shown)`;
      },
    },
  ],
  agents: stated('agents'),
  bounties: [
    takenDown,
    withheld('bounties'),
    { when: 'true', ...withTimes(publicStates.bounties, ['published_at'], 'bounty') },
  ],
  bounty_submissions: [
    ...stated('bounty_submissions'),
    hiddenParent('bounty', 'bounties', 'id', 'bounty_id'),
    {
      when: 'exists (select from bounties b where b.id = t.bounty_id and not b.submissions_visible)',
      text: () => 'submissions_visible of their bounty is false',
    },
  ],
  bounty_submission_makers: [
    hiddenSubmission(`exists (
      select from bounty_submissions s join bounties b on b.id = s.bounty_id
      where s.id = t.submission_id and s.is_public and b.is_public and b.submissions_visible)`),
  ],
  launches: [
    takenDown,
    withheld('launches'),
    { when: 'true', ...withTimes(publicStates.launches, ['published_at', 'launch_week'], 'launch') }, // spec 3.3
  ],
  launch_topics: [launch],
  launch_makers: [launch],
  collections: [
    takenDown,
    withheld('collections', 'address'),
    { when: `t.source = 'internal' and upper(t.status) = 'DRAFT'`, text: () => 'internal and DRAFT' },
  ],
  contests: stated('contests'),
  collection_contests: [collection, hiddenParent('contest', 'contests', 'id', 'contest_id')],
  collection_holders: [collection],
  repositories: [takenDown],
  contest_submissions: [...stated('contest_submissions'), hiddenParent('contest', 'contests', 'id', 'contest_id')],
  contest_submission_supporters: [
    hiddenSubmission(`exists (
      select from contest_submissions e join contests c on c.id = e.contest_id
      where e.id = t.submission_id and e.is_public and c.is_public)`),
  ],
  timeline_items: [
    takenDown,
    ...badges,
    {
      when: 'not exists (select from users u where u.id = t.user_id and u.is_public)',
      text: () => `the status of their user is not ${publicStates.users.join(' or ')}`,
    },
  ],
};

/** Notes about values that are public but do not appear everywhere. Rows are counted by the value in the text. */
export const notes: Readonly<Record<string, { from: string; detail: string; text: (detail: string) => string }>> = {
  agents: {
    // gap G14
    from: `agents t cross join lateral (
      select distinct r ->> 'agentRegistry' as registry from jsonb_array_elements(t.registrations) r
    ) r where r.registry !~ '${registryForm}'`,
    detail: 'r.registry',
    text: (registry) =>
      `a registration ${JSON.stringify(registry)} does not have the form namespace:chainId:address; agent-registration.json leaves it out`,
  },
};
