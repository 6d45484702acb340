// Access to sponsors: for each operation a call for the generic tests, and its rows of the access table.
import type { AccessOf } from '../../../../test/helpers/access.ts';
import { all, count, item, ofBounty, works } from '../../../../test/helpers/access.ts';

export const sponsorAccess: AccessOf<typeof import('@commonhall/contract/sponsors').sponsorOperations> = {
  listSponsors: {
    call: { visible: {} },
    rows: {
      public: 'in',
      deleted: 'out',
    },
    ask: (state) => ({ args: all, marker: item(state === 'public' ? 'acme' : `s-${state}`) }),
  },
  getSponsor: {
    call: { visible: { idOrSlug: 'acme' }, unknown: { idOrSlug: 'nobody' } },
    rows: {
      public: 'in',
      deleted: '404',
      unknown: '404',
    },
    ask: (state) => ({ args: { idOrSlug: state === 'public' ? 'acme' : `s-${state}` }, marker: item('acme') }),
  },
  listSponsorBounties: {
    call: { visible: { sponsorId: 'acme-id' }, unknown: { sponsorId: 'nobody' } },
    rows: {
      public: 'in',
      unpublished: 'out',
      hidden: 'in',
      deleted: 'out',
      foreign: 'out',
      unknown: '404',
      withheld: 'out',
      taken: 'out',
      vouched: 'in',
      count: 'in',
    },
    ask: (state) => ({
      args: { ...all, sponsorId: state === 'unknown' ? 'nobody' : 'acme' },
      marker: state === 'count' ? count : item(`b-${state}`),
    }),
  },
  listSponsorBountySubmissions: {
    call: {
      visible: { sponsorId: 'acme-id', bountyId: 'write-docs-id' },
      hidden: { sponsorId: 'acme-id', bountyId: 'rival-bounty' },
      unknown: { sponsorId: 'acme-id', bountyId: 'nothing' },
      as: 'member',
    },
    rows: {
      public: '401  401  403  403  403  403  wal  403  403  401',
      unpublished: '401  401  403  403  403  403  wal  403  403  401',
      hidden: '401  401  403  403  403  403  wal  403  403  401',
      deleted: '401  401  403  403  403  403  404  403  403  401',
      foreign: '401  401  403  403  403  403  404  403  403  401',
      unknown: '401  401  404  404  404  404  404  404  404  401',
      unknownBounty: '401  401  403  403  403  403  404  403  403  401',
      withheld: '401  401  403  403  403  403  wal  403  403  401',
      taken: '401  401  403  403  403  403  wal  403  403  401',
      vouched: '401  401  403  403  403  403  wal  403  403  401',
      withheldItem: '401  401  403  403  403  403  wal  403  403  401',
      takenItem: '401  401  403  403  403  403  wal  403  403  401',
      vouchedItem: '401  401  403  403  403  403  wal  403  403  401',
    },
    ask: (state) => ({
      args: {
        sponsorId: state === 'unknown' ? 'nobody' : 'acme',
        bountyId: state === 'foreign' ? 'b-foreign' : ofBounty(state),
      },
      marker: works[state] ?? (['public', 'vouched'].includes(state) ? 'the work' : 'canary-unseen'),
    }),
  },
};
