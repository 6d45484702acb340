// Timelines: commits and pull requests in existing repositories, badges that the user holds, and gifts.
import type { Collections, Holding } from './collections.ts';
import type { Contests } from './contests.ts';
import { isAccepted } from './contests.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { Parts, Row } from './parts.ts';
import { dayMs, hexOf, ids } from './parts.ts';
import type { People } from './people.ts';
import { pictureUrl } from './pictures.ts';
import type { Projects } from './projects.ts';
import { codeUrl } from './projects.ts';
import type { Draw } from './random.ts';
import { gifts } from './text/badges.ts';
import { commitMessages, pullTitles } from './text/commits.ts';
import { plain } from './text/names.ts';

const types = ['COMMIT', 'PR', 'COMMIT', 'BADGE_RECEIVED', 'COMMIT', 'GIFT_RECEIVED'] as const;
type Type = (typeof types)[number];

/** How many collections are searched for the badges of a user. */
const lookedAt = 40;

interface Badge {
  collection: number;
  holding: Holding;
}
interface Item {
  user: number;
  type: Type;
  repository: number;
  badge: Badge | null;
}

export const makeTimeline = (
  parts: Parts,
  known: {
    people: People;
    projects: Projects;
    contests: Contests;
    collections: Collections;
    launches: LaunchFacts;
  },
): Record<string, () => Iterable<Row>> => {
  const { scale, draws, at, pictures } = parts;
  const { people, projects, contests, collections, launches } = known;
  const gift = { type: 'GIFT_RECEIVED', repository: 0, badge: null } as const;
  const giftSlugs = gifts.map(plain);

  /** The j-th badge that a user holds, the most common collection last; null if the user has fewer. */
  const badgeOf = (user: number, j: number): Badge | null => {
    let left = j;
    const last = Math.min(lookedAt, collections.open);
    for (let n = 1; n <= last; n++) {
      const collection = n % last;
      const holding = collections.holding(user, collection);
      if (holding === null) continue;
      if (left === 0) return { collection, holding };
      left -= 1;
    }
    return null;
  };

  /** The longest timeline: its badges cycle through all open collections. */
  const longest = (n: number, draw: Draw): Item => {
    const type = types[n % types.length] ?? 'COMMIT';
    const repository = draw.chance(0.6) ? draw.below(3) : draw.popular(scale.repositories);
    if (type !== 'BADGE_RECEIVED') return { user: 0, type, repository, badge: null };
    const turn = Math.floor(n / types.length);
    const [collection, round] = [turn % collections.open, Math.floor(turn / collections.open)];
    const holding = collections.holding(0, collection);
    if (holding === null) return { ...gift, user: 0 };
    const k = round === 0 ? holding.k : collections.holders(collection).size + round - 1;
    const acquired = round === 0 ? holding.acquired : holding.acquired * draw.unit();
    return { user: 0, type, repository, badge: { collection, holding: { k, acquired } } };
  };

  /** Three items per contest entry: a commit, the badge of a participant and the badge of a winner, or substitutes. */
  const ofEntry = (m: number): Item => {
    const n = Math.floor(m / 3);
    const { contest, user, status, k, updated } = contests.entry(n);
    const work = { user, repository: scale.launches + n, badge: null };
    const badge = collections.participantBadge(contest);
    if (m % 3 === 0) return { ...work, type: 'COMMIT' };
    if (m % 3 === 1)
      return isAccepted(status)
        ? { ...work, type: 'BADGE_RECEIVED', badge: { collection: badge, holding: { k, acquired: updated } } }
        : { ...work, type: 'PR' };
    if (status !== 'WINNER') return { ...gift, user };
    const acquired = Math.min(0, (contests.of(contest).end + 1) * dayMs);
    return { ...work, type: 'BADGE_RECEIVED', badge: { collection: badge + 1, holding: { k, acquired } } };
  };

  const ofLaunch = (n: number): Item => ({
    user: launches.submitter(n),
    type: 'COMMIT',
    repository: n,
    badge: null,
  });

  /** Items of all other users, round robin; half of the work is in one repository that follows from the user. */
  const ordinary = (m: number, draw: Draw): Item => {
    const user = 1 + (m % (scale.users - 1));
    const position = Math.floor(m / (scale.users - 1)) + (user % types.length);
    const type = types[position % types.length] ?? 'COMMIT';
    const repository = draw.chance(0.5) ? (user * 7919) % scale.repositories : draw.popular(scale.repositories);
    if (type !== 'BADGE_RECEIVED') return { user, type, repository, badge: null };
    const badge = badgeOf(user, Math.floor(position / types.length));
    return badge === null ? { ...gift, user } : { user, type, repository, badge };
  };

  const itemOf = (n: number, draw: Draw): Item => {
    let m = n;
    if (m < scale.longestTimeline) return longest(m, draw);
    m -= scale.longestTimeline;
    if (m < scale.launches) return ofLaunch(m);
    m -= scale.launches;
    return m < 3 * scale.entries ? ofEntry(m) : ordinary(m - 3 * scale.entries, draw);
  };

  const workOf = (type: 'COMMIT' | 'PR', n: number, draw: Draw) => {
    const { project, platform, owner, name, created, pushed } = projects.repository(n);
    const offset = created + draw.unit() * (pushed - created);
    const repository = { platform, owner, name };
    const url = codeUrl(repository);
    const part = draw.pick(project.domain.parts);
    if (type === 'COMMIT') {
      const sha = hexOf(draw, 40);
      const message = draw.pick(commitMessages).replace('{part}', part);
      return { offset, details: { sha, message, url: `${url}/commit/${sha.slice(0, 12)}`, repository } };
    }
    const [number, isMerged] = [1 + draw.below(5000), draw.chance(0.7)];
    const details = {
      number,
      title: draw.pick(pullTitles).replace('{part}', part),
      state: isMerged ? 'merged' : 'open',
      url: `${url}/pull/${number}`,
      mergedAt: isMerged ? at(offset) : null,
      repository,
    };
    return { offset, details };
  };

  const giftOf = (n: number, user: number, draw: Draw) => {
    const which = draw.below(gifts.length);
    const from = draw.below(scale.users);
    const details = {
      giftId: `gift-${n}`,
      name: gifts[which],
      image: draw.chance(0.5) ? pictureUrl(pictures, 'gifts', giftSlugs[which] ?? '') : null,
      from: from !== user && draw.chance(0.6) ? people.displayName(from) : null,
    };
    return { offset: -draw.below(1000 * dayMs), details };
  };

  const badgeDetails = ({ collection, holding }: Badge) => {
    const collectionName = collections.name(collection);
    const image = pictureUrl(pictures, 'badges', plain(collectionName));
    const details = {
      collectionAddress: ids.collection(collection),
      collectionName,
      image,
      itemIndex: holding.k + 1,
    };
    return { offset: holding.acquired, details };
  };

  function* timeline(): Iterable<Row> {
    const drawOf = draws('timeline_items');
    for (let n = 0; n < scale.timeline; n++) {
      const draw = drawOf(n);
      const { user, type, repository, badge } = itemOf(n, draw);
      const { offset, details } =
        badge !== null
          ? badgeDetails(badge)
          : type === 'COMMIT' || type === 'PR'
            ? workOf(type, repository, draw)
            : giftOf(n, user, draw);
      yield { user_id: ids.user(user), id: `item-${n}`, type, date: at(offset), details };
    }
  }

  return { timeline_items: timeline };
};
