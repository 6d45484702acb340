// Access to the search in all lists: no row that is hidden matches.
import type { AccessOf } from '../../../../test/helpers/access.ts';

const nothing = '{"total":0,"items":[]}';
const lists = ['agents', 'bounties', 'launches', 'contests', 'sponsors', 'collections', 'repositories'];

export const searchAccess: AccessOf<typeof import('@commonhall/contract/search').searchOperations> = {
  search: {
    call: { visible: { q: 'a' } },
    rows: { public: 'in', hidden: 'in' },
    ask: (state) =>
      state === 'public'
        ? { args: { q: 'the b-' }, marker: '"bounties":{"total":5,' }
        : { args: { q: 'canary' }, marker: `{${lists.map((name) => `"${name}":${nothing}`).join()}}` },
  },
};
