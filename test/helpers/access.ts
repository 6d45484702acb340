// The types and shared values of test/access, which has one entry for each operation. `ask` names rows of the access
// table's data set (stage.ts), `call` names rows of the community (community.ts).
import type { OperationId } from '@commonhall/contract/table';

type Args = Record<string, string>;
export interface Call {
  visible: Args;
  /** Names a row that exists but is not public; absent where the operation has nothing to hide by its path. */
  hidden?: Args;
  /** Names no row; absent where the operation has no 404. */
  unknown?: Args;
  /** Whose credential is sent. */
  as?: 'member' | 'author';
}
export interface Access {
  call: Call;
  /** What each caller sees of a row in this state: one word for all, or one word each (defined in matrix.test.ts). */
  rows: Record<string, string>;
  /** The ways to ask for the row in a state, and the text that identifies it in an answer. */
  ask: (state: string) => { args: Args | Args[]; marker: string };
}
export type AccessOf<Operations extends object> = Record<keyof Operations & OperationId, Access>;

/** Every list of the stage fits one page. */
export const all = { pageSize: '100' };
export const item = (value: string): string => `"${value}"`;
/** The public bounty has two public submissions; the public launch is the first of its week. */
export const [count, rank] = ['"submissionCount":2', '"weekRank":1'];

/** Submissions of the public bounty by title, and its winners by place. */
export const works: Record<string, string> = {
  foreign: 'canary-rejected',
  withheldItem: 'canary-withheld-work',
  takenItem: 'canary-taken-work',
  vouchedItem: 'the vouched work',
};
export const places: Record<string, number> = { foreign: 2, withheldItem: 3, takenItem: 4, vouchedItem: 5 };
export const ofBounty = (state: string): string => (works[state] === undefined ? `b-${state}` : 'b-public');

/** The week of the stage's public launches, and the weeks of its launches that no caller may see counted. */
export const week = '2026-01-05T00:00:00.000Z';
export const weeks: Record<string, string> = {
  unpublished: '2026-01-12T00:00:00.000Z',
  withheld: '2026-01-19T00:00:00.000Z',
  taken: '2026-01-26T00:00:00.000Z',
};
export const publicLaunches = 5;
