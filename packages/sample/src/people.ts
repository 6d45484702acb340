// Users and sponsors: names, usernames and bios; and the members of sponsors.
import { cast, people } from './cast.ts';
import type { Contests } from './contests.ts';
import type { Parts, Row } from './parts.ts';
import { ids, nth } from './parts.ts';
import { avatarOf, pictureUrl } from './pictures.ts';
import { notes, places, roles } from './text/bios.ts';
import { cultures, plain } from './text/names.ts';
import { firstWords, houses } from './text/sponsors.ts';

/** Each culture, with its names also in ASCII: computed once, because millions of usernames are made of them. */
const spelled = cultures.map(({ given, family }) => ({
  given,
  family,
  plainGiven: given.map(plain),
  plainFamily: family.map(plain),
  pairs: given.length * family.length,
}));
/** Up to this number no two users have the same full name, so usernames need no number. */
const distinct = Math.min(...spelled.map(({ pairs }) => pairs)) * spelled.length;

export interface People {
  username: (n: number) => string;
  displayName: (n: number) => string;
  sponsorName: (n: number) => string;
  sponsorSlug: (n: number) => string;
}

export const peopleOf = ({ shift }: Parts): People => {
  const namesOf = (n: number) => {
    const culture = nth(spelled, n);
    const turn = Math.floor(n / spelled.length);
    const given = (turn + shift) % culture.given.length;
    const family = (Math.floor(turn / culture.given.length) + given * 5 + shift) % culture.family.length;
    return { culture, given, family };
  };
  const sponsorParts = (n: number) => {
    const first = nth(firstWords, n * 7 + shift);
    const house = nth(houses, Math.floor(n / firstWords.length) + n * 4 + shift);
    const edition = Math.floor(n / (firstWords.length * houses.length));
    return edition === 0 ? `${first} ${house}` : `${first} ${house} ${edition + 1}`;
  };
  return {
    username: (n) => {
      const fixed = cast.users[n];
      if (fixed !== undefined) return fixed;
      const { culture, given, family } = namesOf(n);
      const [first, last] = [culture.plainGiven[given] ?? '', culture.plainFamily[family] ?? ''];
      if (n < distinct) return `${first}${nth(['-', '.', '_'], n * 7 + given)}${last}`;
      return n % 3 === 0 ? `${first}${n}` : n % 3 === 1 ? `${first.charAt(0)}${last}${n}` : `${first}-${last}${n}`;
    },
    displayName: (n) => {
      const fixed = people[cast.users[n] ?? ''];
      if (fixed !== undefined) return fixed.name;
      const { culture, given, family } = namesOf(n);
      return `${culture.given[given]} ${culture.family[family]}`;
    },
    sponsorName: (n) => (n === 0 ? 'Acme' : sponsorParts(n)),
    sponsorSlug: (n) => (n === 0 ? cast.sponsor.slug : plain(sponsorParts(n))),
  };
};

export const makePeople = (parts: Parts, known: People, contests: Contests): Record<string, () => Iterable<Row>> => {
  const { scale, draws } = parts;

  function* users(): Iterable<Row> {
    const drawOf = draws('users');
    const tiers = ['SILVER', 'GOLD', 'PLATINUM'];
    for (let n = 0; n < scale.users; n++) {
      const draw = drawOf(n);
      const username = known.username(n);
      const fixed = people[username];
      const entered = contests.enteredBy(n);
      const written = () => {
        const role = draw.pick(roles);
        const kind = draw.below(3);
        if (kind === 0) return role;
        return kind === 1 ? `${role} ${draw.pick(notes)}` : `${role} Based in ${draw.pick(places)}.`;
      };
      const hasTags = draw.chance(0.35) || n === 0;
      yield {
        id: ids.user(n),
        username,
        display_name: known.displayName(n),
        avatar: draw.chance(0.6) || n === 0 ? avatarOf(parts.pictures, 'people', username) : null,
        bio: fixed !== undefined ? fixed.bio : draw.chance(0.5) ? written() : null,
        status:
          username === 'exile'
            ? 'BANNED'
            : draw.chance(0.02) && fixed === undefined
              ? 'DEACTIVATED'
              : draw.chance(0.7)
                ? 'ACTIVATED'
                : 'active',
        tags:
          hasTags || entered !== null
            ? [
                ...(hasTags ? [{ tag: 'DEVELOPER', tier: draw.pick(tiers), contestName: null }] : []),
                { tag: 'BUILDER', tier: draw.pick(tiers), contestName: entered },
              ]
            : [],
        god_mode: username === 'alan',
      };
    }
  }

  function* sponsors(): Iterable<Row> {
    const drawOf = draws('sponsors');
    for (let n = 0; n < scale.sponsors; n++) {
      const draw = drawOf(n);
      const slug = known.sponsorSlug(n);
      yield {
        id: ids.sponsor(n),
        slug,
        name: known.sponsorName(n),
        logo: draw.chance(0.8) || n === 0 ? pictureUrl(parts.pictures, 'logos', slug) : null,
        website: draw.chance(0.8) || n === 0 ? `https://${slug}.example` : null,
      };
    }
  }

  function* members(): Iterable<Row> {
    const drawOf = draws('sponsor_members');
    yield { user_id: ids.user(1), sponsor_id: ids.sponsor(0), role: 'MEMBER' };
    for (let n = 1; n < scale.sponsors; n++) {
      const first = cast.users.length + drawOf(n).below(scale.users - cast.users.length - 4);
      for (const [index, role] of ['OWNER', 'ADMIN', 'MEMBER', 'GUEST'].entries())
        yield { user_id: ids.user(first + index), sponsor_id: ids.sponsor(n), role };
    }
  }

  return { users, sponsors, sponsor_members: members };
};
