// The words in which test/access is written, and what its files say together: one entry for each operation. The stage of
// the access table (stage.ts) has the rows that `ask` names, the community (community.ts) those of `call`.
import type { OperationId } from '@commonhall/contract/table';

type Args = Record<string, string>;
export interface Call {
  visible: Args;
  /** Names something that is there but not public; absent where the operation has nothing to hide by its path. */
  hidden?: Args;
  /** Names nothing; absent where the operation has no 404. */
  unknown?: Args;
  /** Whose credential is sent. */
  as?: 'member' | 'author';
}
export interface Access {
  call: Call;
  /** What each caller sees of the thing in a state: one word for all, or one for each (matrix.test.ts says the words). */
  rows: Record<string, string>;
  /** The ways to ask for the thing in a state, and the text by which it is known in an answer. */
  ask: (state: string) => { args: Args | Args[]; marker: string };
}
export type AccessOf<Operations extends object> = Record<keyof Operations & OperationId, Access>;

/** Every list of the stage fits one page. */
export const all = { pageSize: '100' };
export const item = (value: string): string => `"${value}"`;
/** Of the submissions to the public bounty two are public; of the launches of the week the public one is first. */
export const [count, rank] = ['"submissionCount":2', '"weekRank":1'];

/** A submission by its title, and a winner by the place, among those of the public bounty. */
export const works: Record<string, string> = {
  foreign: 'canary-rejected',
  withheldItem: 'canary-withheld-work',
  takenItem: 'canary-taken-work',
  vouchedItem: 'the vouched work',
};
export const places: Record<string, number> = { foreign: 2, withheldItem: 3, takenItem: 4, vouchedItem: 5 };
export const ofBounty = (state: string): string => (works[state] === undefined ? `b-${state}` : 'b-public');

/** The week of the launches of the stage, and those of launches that nobody may count. */
export const week = '2026-01-05T00:00:00.000Z';
export const weeks: Record<string, string> = {
  unpublished: '2026-01-12T00:00:00.000Z',
  withheld: '2026-01-19T00:00:00.000Z',
  taken: '2026-01-26T00:00:00.000Z',
};
export const publicLaunches = 5;
