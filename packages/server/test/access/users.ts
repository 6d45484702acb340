// Access to users: for each operation a call for the generic tests, and its rows of the access table.
import type { AccessOf } from '../../../../test/helpers/access.ts';
import { item } from '../../../../test/helpers/access.ts';

export const userAccess: AccessOf<typeof import('@commonhall/contract/users').userOperations> = {
  getUser: {
    call: { visible: { username: 'alice' }, hidden: { username: 'exile' }, unknown: { username: 'nobody' } },
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
    call: { visible: { username: 'alice' }, hidden: { username: 'exile' }, unknown: { username: 'nobody' } },
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
  getScoreTiers: {
    call: { visible: {} },
    rows: {
      public: 'in',
    },
    ask: () => ({ args: {}, marker: '"identity"' }),
  },
};
