// Access to users: for each operation a call for the generic tests, and its rows of the access table.
import type { AccessOf } from '../../../../test/helpers/access.ts';
import { all, item, ofBounty, works } from '../../../../test/helpers/access.ts';

const call = { visible: { username: 'alice' }, hidden: { username: 'exile' }, unknown: { username: 'nobody' } };
/** The whole list, and a range that has all of it. */
const ranged = (args: Record<string, string>) => [
  { ...all, ...args },
  { ...all, ...args, from: '2000-01-01T00:00:00.000Z', to: '2030-01-01T00:00:00.000Z' },
];

export const userAccess: AccessOf<typeof import('@commonhall/contract/users').userOperations> = {
  getUser: {
    call,
    rows: {
      public: 'in',
      hidden: '404',
      deleted: '404',
      unknown: '404',
    },
    ask: (state) => ({
      args: { username: { public: 'olga', hidden: 'dora', deleted: 'gone' }[state] ?? 'nobody' },
      marker: item('olga'),
    }),
  },
  getUserTimeline: {
    call,
    rows: {
      public: 'in',
      unpublished: 'out',
      hidden: '404',
      deleted: 'out',
      foreign: 'out',
      unknown: '404',
      withheld: 'out',
      taken: 'out',
      overruled: 'out',
      vouched: 'in',
      takenItem: 'out',
      unloaded: 'out',
      nameless: 'in',
    },
    ask: (state) => {
      const gifts: Record<string, string> = {
        public: 'the gift',
        deleted: 'the gift that went',
        foreign: 'the gift of another',
      };
      const badges = `${['vouched', 'nameless'].includes(state) ? 'the badge' : 'canary-badge'} ${state}`;
      const args = { username: { hidden: 'dora', unknown: 'nobody' }[state] ?? 'olga', count: '100' };
      const type = gifts[state] === undefined ? 'BADGE_RECEIVED' : 'GIFT_RECEIVED';
      return { args: [args, { ...args, type }], marker: item(gifts[state] ?? badges) };
    },
  },
  listUserBadges: {
    call,
    rows: {
      public: 'in',
      unpublished: 'out',
      hidden: 'out',
      deleted: 'out',
      foreign: 'in',
      unknown: 'in',
      withheld: 'out',
      taken: 'out',
      overruled: 'out',
      vouched: 'in',
      wordless: 'in',
      withheldLater: 'out',
      takenLater: 'out',
      exiled: '404',
      nobody: '404',
      count: 'in',
    },
    ask: (state) => ({
      args: ranged({ username: { exiled: 'dora', nobody: 'nobody' }[state] ?? 'hank' }),
      marker: state === 'count' ? '"total":5,' : item(`c-${state}`),
    }),
  },
  listUserAgents: {
    call,
    rows: {
      public: 'in',
      unpublished: 'out',
      hidden: 'out',
      deleted: 'out',
      foreign: 'out',
      withheld: 'out',
      taken: 'out',
      vouched: 'in',
      exiled: '404',
      nobody: '404',
      count: 'in',
    },
    ask: (state) => ({
      args: ranged({ username: { exiled: 'dora', nobody: 'nobody' }[state] ?? 'olga' }),
      marker: state === 'count' ? '"total":2,' : item(`agent-${state}`),
    }),
  },
  listUserSubmissions: {
    call,
    rows: {
      public: 'in',
      unpublished: 'out',
      hidden: 'out',
      withheld: 'out',
      taken: 'out',
      vouched: 'in',
      foreign: 'out',
      withheldItem: 'out',
      takenItem: 'out',
      vouchedItem: 'in',
      withheldLater: 'out',
      takenLater: 'out',
      hiddenLater: 'out',
      exiled: '404',
      nobody: '404',
      count: 'in',
    },
    ask: (state) => ({
      args: ranged({ username: { exiled: 'dora', nobody: 'nobody' }[state] ?? 'olga' }),
      marker: state === 'count' ? '"total":3,' : (works[state] ?? `"slug":"${ofBounty(state)}"`),
    }),
  },
  getScoreTiers: {
    call: { visible: {} },
    rows: {
      public: 'in',
    },
    ask: () => ({ args: {}, marker: '"identity"' }),
  },
};
