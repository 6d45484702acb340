// The things of the demo world: collections with holders, repositories, and what bounties.ts makes around them.
import { cast } from './cast.ts';
import { drawsOf } from './random.ts';
import { makeWork } from './work.ts';
import type { Parts, Row } from './world.ts';

const dayMs = 86_400_000;

/** A moment some milliseconds from now, as the record format writes it. */
export const isoAt =
  (nowMs: number) =>
  (offsetMs: number): string =>
    new Date(nowMs + Math.round(offsetMs)).toISOString();

export const collectionName = ({ seed, words }: Pick<Parts, 'seed' | 'words'>, n: number): string => {
  if (n === 0) return 'Founding Member';
  const draw = drawsOf(seed, 'collection names')(n);
  return `${draw.pick(words.adjectives)} ${draw.pick(words.nouns)} ${n}`;
};

/** Holders of each collection: the first has the most, the others fall off as popularity does. */
const holdersOf = ({ scale }: Pick<Parts, 'scale'>): ((n: number) => number) => {
  const harmonic = Math.log(scale.collections) + 0.577;
  const share = (scale.holdings - scale.largestCollection) / harmonic;
  return (n) => (n === 0 ? scale.largestCollection : Math.min(scale.users, Math.floor(share / n)));
};

export const makeThings = (parts: Parts): Record<string, () => Iterable<Row>> => {
  const { seed, scale, ids, words, nowMs } = parts;
  const at = isoAt(nowMs);

  function* collections(): Iterable<Row> {
    const draws = drawsOf(seed, 'collections');
    for (let n = 0; n < scale.collections; n++) {
      const draw = draws(n);
      const internal = n !== 0 && draw.chance(0.5);
      const sbt = n === 0 || draw.chance(0.6);
      const age = 30 + draw.below(1000);
      yield {
        address: ids.collection(n),
        name: collectionName(parts, n),
        description: draw.pick(words.paragraphs),
        image: draw.chance(0.9) ? `https://img.commonhall.example/c/${n}.png` : null,
        type: sbt ? 'SBT' : 'NFT',
        importance: n === 0 ? 'HIGH' : draw.pick(['HIGH', 'MEDIUM', 'LOW']),
        is_sbt: sbt,
        category: draw.pick(['achievement', 'event', 'contest', 'gift']),
        is_winner: draw.chance(0.1),
        source: internal ? 'internal' : 'external',
        status: internal ? draw.pick(['ACTIVE', 'ACTIVE', 'DRAFT', 'ARCHIVED']) : null,
        creator_address: draw.chance(0.8)
          ? `0x${draw
              .below(2 ** 31)
              .toString(16)
              .padStart(40, 'c')}`
          : null,
        next_item_index: draw.below(100_000),
        external_link: draw.chance(0.4) ? `https://badge.example/${n}` : null,
        social_links: draw.chance(0.3) ? [`https://social.example/${n}`] : [],
        created_at: at(-age * dayMs),
        updated_at: at(-draw.below(age) * dayMs),
        on_chain_created_at: draw.chance(0.8) ? at(-(age + 1) * dayMs) : null,
      };
    }
  }

  function* holders(): Iterable<Row> {
    const draws = drawsOf(seed, 'collection_holders');
    const sizeOf = holdersOf(parts);
    for (let n = 0; n < scale.collections; n++) {
      const draw = draws(n);
      const size = sizeOf(n);
      // A stride without a common divisor visits each user once.
      const greatest = (a: number, b: number): number => (b === 0 ? a : greatest(b, a % b));
      let stride = 1 + draw.below(scale.users - 1);
      while (greatest(stride, scale.users) !== 1) stride += 1;
      let user = draw.below(scale.users);
      const firstDay = 900 - draw.below(600);
      for (let k = 0; k < size; k++) {
        yield {
          user_id: ids.user(user),
          collection_address: ids.collection(n),
          acquired_at: at(-firstDay * dayMs + (k / size) * 200 * dayMs),
        };
        user = (user + stride) % scale.users;
      }
    }
  }

  function* repositories(): Iterable<Row> {
    const draws = drawsOf(seed, 'repositories');
    for (let n = 0; n < scale.repositories; n++) {
      const draw = draws(n);
      const age = 10 + draw.below(2000);
      const known = draw.chance(0.9);
      yield {
        platform: n === 0 || draw.chance(0.85) ? 'github' : 'gitlab',
        platform_id: String(n + 1),
        owner:
          n === 0
            ? 'ada'
            : `${draw
                .pick(words.lastNames)
                .toLowerCase()
                .replace(/[^a-z]/g, '')}${draw.popular(5000)}`,
        name:
          n === 0
            ? cast.launch
            : `${draw.pick(words.adjectives)}-${draw.pick(words.nouns)}${draw.chance(0.5) ? `-${n}` : ''}`,
        category: draw.chance(0.8) ? draw.pick(['defi', 'nft', 'infra', 'games', 'tools']) : null,
        ecosystem: draw.chance(0.7) ? draw.pick(['open', 'mobile', 'chain', 'science']) : null,
        description: draw.chance(0.8) ? draw.pick(words.sentences) : null,
        importance: draw.chance(0.6) ? draw.pick(['high', 'medium', 'low']) : null,
        status: draw.pick(['ECOSYSTEM', 'NEED_REVIEW', 'REVIEWED', 'NEED_REVIEW_CONTEST', 'ARCHIVED']),
        contributors_count: draw.popular(400),
        platform_created_at: known ? at(-(age + 5) * dayMs) : null,
        platform_updated_at: known ? at(-draw.below(age) * dayMs) : null,
        platform_pushed_at: known ? at(-draw.below(age) * dayMs) : null,
        created_at: at(-age * dayMs),
        updated_at: at(-draw.below(age) * dayMs),
      };
    }
  }

  return { collections, collection_holders: holders, repositories, ...makeWork(parts, at) };
};
