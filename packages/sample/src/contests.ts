// Contests and the users who entered them. The entries of a contest have consecutive numbers, and its users come from a
// ring (random.ts), so that "did this user enter?" is computed without a table.
import type { Parts, Row } from './parts.ts';
import { dayMs, ids, nth, some } from './parts.ts';
import { pictureUrl } from './pictures.ts';
import type { Ring } from './random.ts';
import { ringOf } from './random.ts';
import type { Theme, Track } from './text/contests.ts';
import { formats, rules, springTheme, themes } from './text/contests.ts';
import { plain } from './text/names.ts';

interface Contest {
  title: string;
  slug: string;
  theme: Theme;
  status: string;
  /** The end of the voting, in days from now. */
  end: number;
  fields: readonly { label: string; type: string; required: boolean }[] | null;
  /** The number of its first entry; its `count` entries have consecutive numbers. */
  first: number;
  count: number;
  people: Ring;
}

interface Entry {
  contest: number;
  /** Its index among the entries of its contest. */
  k: number;
  user: number;
  status: string;
  place: number | null;
  /** Offsets from now in milliseconds. */
  created: number;
  updated: number;
  track: Track;
  trackId: string;
  domain: string;
}

export interface Contests {
  of: (n: number) => Contest;
  entry: (n: number) => Entry;
  /** The title of a contest in which an entry of the user was accepted, or null. */
  enteredBy: (user: number) => string | null;
}

const states =
  'VOTING COMPLETED OPEN COMPLETED COMPLETED CANCELLED COMPLETED VOTING COMPLETED DRAFT CANCELLED COMPLETED'.split(' ');
/** How many of the largest contests are searched for a user's tag. */
const lookedAt = 24;
const repository = { label: 'Repository', type: 'repository', required: true };
const fieldSets = [
  [repository],
  [repository, { label: 'Demo', type: 'url', required: true }],
  [repository, { label: 'Demo', type: 'url', required: true }, { label: 'Video', type: 'url', required: false }],
];

export const isAccepted = (status: string): boolean => status === 'APPROVED' || status === 'WINNER';

export const contestsOf = ({ scale, draws, shift }: Parts): Contests => {
  const firstOf = (n: number) => Math.round(scale.entries * (n / scale.contests) ** (1 / 3));
  const endOf = (n: number, status: string): number => {
    const draw = draws('contest ends')(n);
    if (n === 0) return 10;
    if (status === 'OPEN') return 25 + draw.below(30);
    if (status === 'VOTING') return 2 + draw.below(17);
    if (status === 'DRAFT') return 70 + draw.below(30);
    return -2 - draw.below(680);
  };
  const make = (n: number): Contest => {
    const status = nth(states, n);
    const draw = draws('contest facts')(n);
    const turn = Math.floor((n - 1) / themes.length);
    const which = (n - 1 + shift) % themes.length;
    const theme = n === 0 ? springTheme : nth(themes, which);
    const edition = Math.floor(turn / formats.length);
    const format = n === 0 ? 'Build' : nth(formats, turn + which * 2 + shift);
    const title = `${theme.name} ${format}${edition > 0 ? ` ${edition + 1}` : ''}`;
    const first = firstOf(n);
    const fields = n !== 0 && draw.chance(0.3) ? null : n === 0 ? nth(fieldSets, 1) : draw.pick(fieldSets);
    const people = ringOf(draw, scale.users, n === 0 ? { value: 0, k: 0 } : undefined);
    return {
      title,
      slug: plain(title),
      theme,
      status,
      end: endOf(n, status),
      fields,
      first,
      count: firstOf(n + 1) - first,
      people,
    };
  };
  const made: Contest[] = [];
  for (let n = 0; n < scale.contests; n++) made.push(make(n));
  const of = (n: number): Contest => nth(made, n);

  const contestOf = (entry: number): number => {
    let n = Math.min(scale.contests - 1, Math.floor(scale.contests * ((entry + 0.5) / scale.entries) ** 3));
    while (entry < of(n).first) n -= 1;
    while (entry >= of(n).first + of(n).count) n += 1;
    return n;
  };
  const drawOf = draws('entry facts');
  const entry = (n: number): Entry => {
    const contest = contestOf(n);
    const { status, end, theme, first, people } = of(contest);
    const draw = drawOf(n);
    const k = n - first;
    const drawn = draw.pick(['APPROVED', 'APPROVED', 'APPROVED', 'PENDING', 'REJECTED']);
    const won = status === 'COMPLETED' && k < 3;
    const trackIndex = n === 0 ? 2 : draw.below(theme.tracks.length);
    const track = nth(theme.tracks, trackIndex);
    // Entries of a draft contest are trials by its organisers, created before it opens.
    const opens = (status === 'DRAFT' ? -20 : end - 60) * dayMs;
    const closes = Math.min(0, (end - 20) * dayMs);
    const created = Math.round(opens + draw.unit() * (closes - opens));
    const updated = Math.round(created + draw.unit() * (Math.min(0, end * dayMs) - created));
    return {
      contest,
      k,
      user: people.at(k),
      status: n === 0 ? 'APPROVED' : status === 'DRAFT' ? 'PENDING' : won ? 'WINNER' : drawn,
      place: won ? k + 1 : null,
      created,
      updated,
      track,
      trackId: `track-${contest}-${trackIndex}`,
      domain: n === 0 ? 'infrastructure' : draw.pick(track.domains),
    };
  };

  return {
    of,
    entry,
    enteredBy: (user) => {
      for (let n = 0; n < Math.min(lookedAt, scale.contests); n++) {
        const { people, first, count, title } = of(n);
        const k = people.indexOf(user);
        if (k < count && isAccepted(entry(first + k).status)) return title;
      }
      return null;
    },
  };
};

const money = (amount: number): string => `${amount.toLocaleString('en-US')} USD`;

export const makeContests = (parts: Parts, known: Contests): Record<string, () => Iterable<Row>> => {
  const { scale, draws, at } = parts;

  function* contests(): Iterable<Row> {
    const drawOf = draws('contests');
    for (let n = 0; n < scale.contests; n++) {
      const draw = drawOf(n);
      const { title, slug, theme, status, end, fields, count, people } = known.of(n);
      const pool = (2 + draw.below(24)) * 1000;
      const tracks = theme.tracks.map(({ name, description }, k) => ({
        id: `track-${n}-${k}`,
        name,
        description,
        prizePool: draw.chance(0.5) ? money(Math.round(pool / theme.tracks.length / 500) * 500) : null,
      }));
      const details = [
        `## The brief\n\n${theme.brief}`,
        `## Tracks\n\n${tracks.map(({ name, description }) => `- **${name}**: ${description}`).join('\n')}`,
        '## How it works\n\nSubmissions are open for forty days. Then members vote for twenty days, and a jury reads every entry with a working demo.',
        `## Prizes\n\nThe prize pool is ${money(pool)}. First place receives half of a track’s share, second place 30 % and third place 20 %.`,
      ];
      const started = (end - 60) * dayMs;
      const created = Math.min(-21, end - 90) * dayMs;
      yield {
        id: ids.contest(n),
        slug,
        title,
        short_description: theme.short,
        details: details.join('\n\n'),
        rules: some(draw, rules, 4 + draw.below(3))
          .map((rule, index) => `${index + 1}. ${rule}`)
          .join('\n'),
        prize_pool: money(pool),
        image_url: draw.chance(0.7) || n === 0 ? pictureUrl(parts.pictures, 'contests', slug) : null,
        // Judges come after the last participant in the ring, so that none of them takes part.
        judge_user_ids: Array.from({ length: 1 + draw.below(3) }, (_, k) => ids.user(people.at(count + k))),
        status,
        direct_link_enabled: draw.chance(0.8),
        fields,
        tracks,
        submission_start: at(started),
        submission_end: at((end - 20) * dayMs),
        voting_start: at((end - 20) * dayMs),
        voting_end: at(end * dayMs),
        created_by_id: ids.user(1),
        created_at: at(created),
        updated_at: at(Math.max(created, Math.min(started, 0))),
      };
    }
  }

  return { contests };
};
