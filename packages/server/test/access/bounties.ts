// Access to bounties: for each operation a call for the generic tests, and its rows of the access table.
import type { AccessOf } from '../../../../test/helpers/access.ts';
import { all, count, item, ofBounty, places, works } from '../../../../test/helpers/access.ts';

export const bountyAccess: AccessOf<typeof import('@commonhall/contract/bounties').bountyOperations> = {
  listBounties: {
    call: { visible: {} },
    rows: {
      public: 'in',
      unpublished: 'out',
      hidden: 'in',
      deleted: 'out',
      foreign: 'in',
      unknown: 'out',
      withheld: 'out',
      taken: 'out',
      vouched: 'in',
      count: 'in',
    },
    ask: (state) => ({
      args: [
        all,
        { ...all, category: 'CONTENT' },
        ...(state === 'unknown' ? [] : [{ ...all, sponsorId: state === 'foreign' ? 'rival' : 'acme' }]),
      ],
      marker: state === 'count' ? count : item(state === 'unknown' ? 'b-limbo' : `b-${state}`),
    }),
  },
  getBounty: {
    call: { visible: { slug: 'write-docs' }, hidden: { slug: 'draft-bounty' }, unknown: { slug: 'nothing' } },
    rows: {
      public: 'in',
      unpublished: '404',
      hidden: 'in',
      deleted: '404',
      foreign: 'in',
      unknown: '404',
      withheld: '404',
      taken: '404',
      vouched: 'in',
      count: 'in',
    },
    ask: (state) => ({
      args: { slug: state === 'count' ? 'b-public' : `b-${state}` },
      marker: state === 'count' ? count : item(`b-${state}`),
    }),
  },
  listBountySubmissions: {
    call: {
      visible: { bountyId: 'write-docs-id' },
      hidden: { bountyId: 'draft-bounty-id' },
      unknown: { bountyId: 'nothing' },
    },
    rows: {
      public: 'in',
      unpublished: '404',
      hidden: 'hid',
      deleted: '404',
      foreign: 'out',
      unknown: '404',
      withheld: '404',
      taken: '404',
      vouched: 'in',
      withheldItem: 'out',
      takenItem: 'out',
      vouchedItem: 'in',
    },
    ask: (state) => ({ args: { bountyId: ofBounty(state) }, marker: works[state] ?? 'the work' }),
  },
  listMyBountySubmissions: {
    call: {
      visible: { bountyId: 'write-docs-id' },
      hidden: { bountyId: 'draft-bounty-id' },
      unknown: { bountyId: 'nothing' },
      as: 'author',
    },
    rows: {
      public: '401  401  none own  none none none none none 401',
      unpublished: '401  401  404  own  404  404  404  404  404  401',
      hidden: '401  401  none own  none none none none none 401',
      deleted: '401  401  404  404  404  404  404  404  404  401',
      foreign: '401  401  none none none none none none none 401',
      unknown: '401  401  404  404  404  404  404  404  404  401',
      withheld: '401  401  404  own  404  404  404  404  404  401',
      taken: '401  401  404  own  404  404  404  404  404  401',
      vouched: '401  401  none own  none none none none none 401',
      withheldItem: '401  401  none own  none none none none none 401',
      takenItem: '401  401  none own  none none none none none 401',
      vouchedItem: '401  401  none own  none none none none none 401',
    },
    ask: (state) => ({
      args: { bountyId: state === 'foreign' ? 'b-foreign' : ofBounty(state) },
      marker:
        { public: 'the work', vouched: 'the work', foreign: 'the work of another' }[state] ??
        works[state] ??
        'canary-unseen',
    }),
  },
  listBountyWinners: {
    call: {
      visible: { bountyId: 'write-docs-id' },
      hidden: { bountyId: 'draft-bounty-id' },
      unknown: { bountyId: 'nothing' },
    },
    rows: {
      public: 'in',
      unpublished: '404',
      hidden: 'out',
      deleted: '404',
      foreign: 'out',
      unknown: '404',
      withheld: '404',
      taken: '404',
      vouched: 'in',
      withheldItem: 'out',
      takenItem: 'out',
      vouchedItem: 'in',
    },
    ask: (state) => ({ args: { bountyId: ofBounty(state) }, marker: `"prizePlace":${places[state] ?? 1}` }),
  },
  listMyBounties: {
    call: { visible: {}, as: 'member' },
    rows: {
      public: '401  401  none none none mine mine none mine 401',
      unpublished: '401  401  none none none none mine none mine 401',
      hidden: '401  401  none none none mine mine none mine 401',
      deleted: '401  401  none none none none none none none 401',
      foreign: '401  401  none none mine none none none mine 401',
      unknown: '401  401  none none none none mine none mine 401',
      withheld: '401  401  none none none none mine none mine 401',
      taken: '401  401  none none none none mine none mine 401',
      vouched: '401  401  none none none mine mine none mine 401',
      count: '401  401  none none none mine mine none mine 401',
    },
    ask: (state) => ({
      args: all,
      marker: state === 'count' ? count : item({ foreign: 'b-rival-draft', unknown: 'b-limbo' }[state] ?? `b-${state}`),
    }),
  },
};
