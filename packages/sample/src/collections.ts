// Badge collections and their holders. The last collections belong to the contests, two for each: one for participants,
// one for winners. The holders of all others come from a ring (random.ts), so that "does this user hold it?" is
// computed without a table.
import type { Contests } from './contests.ts';
import { isAccepted } from './contests.ts';
import type { Parts, Row } from './parts.ts';
import { dayMs, hexOf, ids, nth } from './parts.ts';
import { pictureUrl } from './pictures.ts';
import type { Ring } from './random.ts';
import { ringOf } from './random.ts';
import type { BadgeKind } from './text/badges.ts';
import { badgeKinds } from './text/badges.ts';
import { fill } from './text/fill.ts';
import { plain } from './text/names.ts';

interface Holders {
  size: number;
  ring: Ring;
  /** When the k-th badge was acquired: an offset from now in milliseconds. */
  acquired: (k: number) => number;
}
interface ContestBadge {
  contest: number;
  isWinner: boolean;
}
export interface Holding {
  /** The index of the badge in the collection. */
  k: number;
  acquired: number;
}

export interface Collections {
  /** The number of collections that belong to no contest; these come first. */
  open: number;
  name: (n: number) => string;
  holders: (n: number) => Holders;
  holding: (user: number, n: number) => Holding | null;
  contestBadge: (n: number) => ContestBadge | null;
  /** The collection for participants of a contest; the next one is for its winners. */
  participantBadge: (contest: number) => number;
}

/** The number of popular collections that are cached, because every badge of a timeline looks them up. */
const kept = 48;

const founding = 'Founding Member';

const kindOf = (n: number): BadgeKind => nth(badgeKinds, n);

export const collectionsOf = ({ scale, draws, shift }: Parts, contests: Contests): Collections => {
  const open = scale.collections - 2 * scale.contests;
  // The first collection has the most holders; the sizes of the others fall as 1/n.
  const share = (scale.holdings - scale.largestCollection) / (Math.log(scale.collections) + 0.577);
  const sizeOf = (n: number) =>
    n === 0 ? scale.largestCollection : Math.max(1, Math.min(scale.users, Math.floor(share / n)));
  const drawOf = draws('collection_holders');
  const make = (n: number): Holders => {
    const draw = drawOf(n);
    const size = sizeOf(n);
    const firstDay = n === 0 ? 890 : 20 + draw.below(870);
    const span = n === 0 ? 880 : Math.min(200, firstDay);
    // The first user holds every open collection: the longest timeline needs badges.
    const ring = ringOf(draw, scale.users, { value: 0, k: draw.below(size) });
    return { size, ring, acquired: (k) => (-firstDay + (k / size) * span) * dayMs };
  };
  const popular = Array.from({ length: Math.min(kept, open) }, (_, n) => make(n));
  const holders = (n: number): Holders => popular[n] ?? make(n);
  const contestBadge = (n: number): ContestBadge | null =>
    n < open ? null : { contest: Math.floor((n - open) / 2), isWinner: (n - open) % 2 === 1 };
  return {
    open,
    holders,
    contestBadge,
    participantBadge: (contest) => open + 2 * contest,
    name: (n) => {
      if (n === 0) return founding;
      const badge = contestBadge(n);
      if (badge !== null) return `${contests.of(badge.contest).title} ${badge.isWinner ? 'Winner' : 'Participant'}`;
      const { firsts, seconds } = kindOf(n);
      const turn = Math.floor(n / badgeKinds.length);
      const first = (turn + shift) % firsts.length;
      const second = nth(seconds, Math.floor(turn / firsts.length) + first * 3 + shift);
      const edition = Math.floor(turn / (firsts.length * seconds.length));
      return `${firsts[first]} ${second}${edition > 0 ? `, Series ${edition + 1}` : ''}`;
    },
    holding: (user, n) => {
      const { size, ring, acquired } = holders(n);
      const k = ring.indexOf(user);
      return k < size ? { k, acquired: acquired(k) } : null;
    },
  };
};

export const makeCollections = (
  parts: Parts,
  known: Collections,
  contests: Contests,
): Record<string, () => Iterable<Row>> => {
  const { scale, draws, at, pictures } = parts;

  const describe = (n: number, name: string, kind: BadgeKind, pick: <T>(from: readonly T[]) => T): string => {
    if (n === 0) return 'For everyone who joined in the first season. There will be no more of these.';
    const badge = known.contestBadge(n);
    if (badge === null) {
      const plainName = name.replace(/, Series \d+$/, '');
      return fill(pick(kind.descriptions), { name: kind.category === 'event' ? plainName : plainName.toLowerCase() });
    }
    const { title } = contests.of(badge.contest);
    return badge.isWinner
      ? `For the winners of the ${title}: first, second and third place.`
      : `For everyone whose entry to the ${title} was accepted.`;
  };

  function* collections(): Iterable<Row> {
    const drawOf = draws('collections');
    for (let n = 0; n < scale.collections; n++) {
      const draw = drawOf(n);
      const name = known.name(n);
      const slug = plain(name);
      const kind = kindOf(n);
      const badge = known.contestBadge(n);
      const contest = badge === null ? null : contests.of(badge.contest);
      const isInternal = badge !== null || (n !== 0 && draw.chance(0.5));
      const isSbt = n === 0 || badge !== null || kind.isSbt;
      // A collection is created before its first badge is given, that of a contest before the contest opens.
      const created =
        contest === null
          ? known.holders(n).acquired(0) - (1 + draw.below(60)) * dayMs
          : Math.min(-21, contest.end - 61) * dayMs;
      const drawn = draw.pick(['ACTIVE', 'ACTIVE', 'DRAFT', 'ARCHIVED']);
      const isReady = badge?.isWinner === true ? contest?.status === 'COMPLETED' : contest?.status !== 'DRAFT';
      yield {
        address: ids.collection(n),
        name,
        description: describe(n, name, kind, draw.pick),
        image: draw.chance(0.9) || n === 0 ? pictureUrl(pictures, 'badges', slug) : null,
        type: isSbt ? 'SBT' : 'NFT',
        importance: n === 0 || badge?.isWinner === true ? 'HIGH' : draw.pick(['HIGH', 'MEDIUM', 'LOW']),
        is_sbt: isSbt,
        category: n === 0 ? 'achievement' : badge !== null ? 'contest' : kind.category,
        is_winner: badge?.isWinner === true,
        source: isInternal ? 'internal' : 'external',
        status: !isInternal ? null : badge === null ? drawn : isReady ? 'ACTIVE' : 'DRAFT',
        creator_address: draw.chance(0.8) ? `0x${hexOf(draw, 40)}` : null,
        next_item_index: (contest === null ? known.holders(n).size : contest.count) + 10 + draw.below(90),
        external_link: draw.chance(0.4) ? `https://badges.example/${slug}` : null,
        social_links: draw.chance(0.3) ? [`https://micro.example/${slug}`] : [],
        created_at: at(created),
        updated_at: at(created * draw.unit()),
        on_chain_created_at: draw.chance(0.8) ? at(created - draw.below(dayMs)) : null,
      };
    }
  }

  function* collectionContests(): Iterable<Row> {
    for (let n = 0; n < scale.contests; n++)
      for (const [k, role] of ['PARTICIPANT', 'WINNER'].entries())
        yield {
          collection_address: ids.collection(known.participantBadge(n) + k),
          contest_id: ids.contest(n),
          role,
        };
  }

  function* contestHolders(n: number, { contest, isWinner }: ContestBadge): Iterable<Row> {
    const { first, count, end } = contests.of(contest);
    for (let k = 0; k < count; k++) {
      const { status, user, updated } = contests.entry(first + k);
      if (!isAccepted(status) || (isWinner && status !== 'WINNER')) continue;
      const acquired = isWinner ? Math.min(0, (end + 1) * dayMs) : updated;
      yield { user_id: ids.user(user), collection_address: ids.collection(n), acquired_at: at(acquired) };
    }
  }

  function* holders(): Iterable<Row> {
    for (let n = 0; n < scale.collections; n++) {
      const badge = known.contestBadge(n);
      if (badge !== null) {
        yield* contestHolders(n, badge);
        continue;
      }
      const { size, ring, acquired } = known.holders(n);
      const collection_address = ids.collection(n);
      for (let k = 0; k < size; k++)
        yield { user_id: ids.user(ring.at(k)), collection_address, acquired_at: at(acquired(k)) };
    }
  }

  return { collections, collection_contests: collectionContests, collection_holders: holders };
};
