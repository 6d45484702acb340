// Submissions to bounties, and their makers. The first ones belong to the cast's bounty. Then come three for each
// bounty, among them the winners of completed ones, and then all others.
import type { Bounties, Bounty } from './bounties.ts';
import type { Parts, Row } from './parts.ts';
import { dayMs, hexOf, ids } from './parts.ts';
import type { People } from './people.ts';
import { pictureUrl } from './pictures.ts';
import type { Draw } from './random.ts';
import type { BriefField } from './text/brief.ts';
import { fill } from './text/fill.ts';
import { plain } from './text/names.ts';

const mallory = 3;
/** The first user who is not in the cast: only these users get random submissions. */
const firstStranger = 5;
/** Three winners of the cast's bounty, then two submissions by mallory: one public, one rejected. */
const ofCast: readonly { user?: number; status: string }[] = [
  { user: 0, status: 'WINNER' },
  { status: 'WINNER' },
  { status: 'WINNER' },
  { user: mallory, status: 'APPROVED' },
  { user: mallory, status: 'REJECTED' },
];

const remarks: readonly string[] = [
  'Feedback is welcome; I will keep it up to date after the bounty ends.',
  'I had help from two friends, and I owe them dinner.',
  'Everything is published under an open licence.',
  'It took me three evenings, and I learned more than I expected.',
  'Please write to me if anything is unclear.',
  'The first draft was twice as long.',
  'This is my first entry to a bounty, so be gentle.',
  'A short note about the sources is at the end.',
  'I would do one thing differently next time: start with the examples.',
  'Thanks to everyone who answered my questions in the chat.',
  'There is a version without pictures for slow connections.',
  'My colleagues read it before I sent it.',
  'I kept it small on purpose.',
  'If it wins, I will spend the reward on a better microphone.',
  'The parts that I am least sure about are marked.',
  'It has been checked by a person who knows more about this than I do.',
];
/** Suffixes of titles: a popular bounty has many submissions, and few should have the same title. */
const variants: readonly string[] = [
  ', illustrated',
  ', the short version',
  ', with exercises',
  ', second draft',
  ', made in one weekend',
  ', with sources',
  ', for impatient people',
  ', from scratch',
];
const reasons: readonly string[] = [
  'Does not follow the brief',
  'The link does not open',
  'Published elsewhere before the start',
  'Too similar to another entry',
];

interface Place {
  bounty: number;
  user: number;
  status: string;
  place: number | null;
}

export const makeSubmissions = (parts: Parts, people: People, known: Bounties): Record<string, () => Iterable<Row>> => {
  const { scale, draws, at, pictures } = parts;
  const placeDraw = draws('submission places');

  /** A draft has no submissions: they go to the bounty before it, which is never a draft. */
  const opened = (bounty: number): number => (known.status(bounty) === 'DRAFT' ? bounty - 1 : bounty);
  const placeOf = (n: number): Place => {
    const draw = placeDraw(n);
    const user = firstStranger + draw.below(scale.users - firstStranger);
    const fixed = ofCast[n];
    if (fixed !== undefined)
      return {
        bounty: 0,
        user: fixed.user ?? user,
        status: fixed.status,
        place: fixed.status === 'WINNER' ? n + 1 : null,
      };
    const m = n - ofCast.length;
    const status = draw.pick(['PENDING', 'PENDING', 'APPROVED', 'REJECTED', 'SPAM']);
    if (m >= 3 * scale.bounties) return { bounty: opened(draw.popular(scale.bounties)), user, status, place: null };
    const [bounty, k] = [m % scale.bounties, Math.floor(m / scale.bounties)];
    const won = bounty !== 0 && known.status(bounty) === 'COMPLETED' && k < known.of(bounty).places;
    return { bounty: opened(bounty), user, status: won ? 'WINNER' : status, place: won ? k + 1 : null };
  };

  const valueFor = ({ type, values }: BriefField, draw: Draw, username: string, slug: string): string => {
    if (type === 'repository') return `https://github.example/${username}/${slug}`;
    if (type === 'url') return `https://${draw.pick(['pages', 'notes', 'work', 'studio'])}.example/${username}/${slug}`;
    return draw.pick(values ?? ['']);
  };

  const textOf = ({ brief, slots }: Bounty, draw: Draw): string => {
    const first = draw.below(brief.answers.texts.length);
    const texts = [0, 1].map((k) => fill(brief.answers.texts[(first + k) % brief.answers.texts.length] ?? '', slots));
    return `${texts.slice(0, 1 + draw.below(2)).join(' ')}\n\n${draw.pick(remarks)}`;
  };

  function* submissions(): Iterable<Row> {
    const drawOf = draws('bounty_submissions');
    for (let n = 0; n < scale.submissions; n++) {
      const draw = drawOf(n);
      const { bounty, user, status, place } = placeOf(n);
      const facts = known.of(bounty);
      const { brief, slots, start } = facts;
      const answers = brief.answers.titles;
      const isOfCast = n < ofCast.length;
      const answer = fill(answers[(isOfCast ? n : draw.below(answers.length)) % answers.length] ?? '', slots);
      const title = !isOfCast && draw.chance(0.5) ? answer + draw.pick(variants) : answer;
      const slug = `${plain(title).slice(0, 60).replace(/-$/, '')}-${n}`;
      const username = people.username(user);
      const closes = Math.min(0, (start + 21) * dayMs);
      const created = Math.round(start * dayMs + draw.unit() * (closes - start * dayMs));
      const updated = created + draw.unit() * (Math.min(0, (start + 28) * dayMs) - created);
      yield {
        id: ids.submission(n),
        bounty_id: ids.bounty(bounty),
        user_id: ids.user(user),
        title,
        description: textOf(facts, draw),
        field_values: brief.fields
          .filter(({ required }) => required || draw.chance(0.6))
          .map((field) => ({ label: field.label, type: field.type, value: valueFor(field, draw, username, slug) })),
        additional_links: draw.chance(0.3)
          ? [
              {
                name: draw.pick(['Notes', 'Changelog', 'Sketches']),
                value: `https://notes.example/${username}/${slug}`,
              },
            ]
          : [],
        image_url: draw.chance(0.5) ? pictureUrl(pictures, 'work', slug) : null,
        status,
        moderation_reason: status === 'REJECTED' ? draw.pick(reasons) : status === 'SPAM' ? 'Advertising' : null,
        prize_place: place,
        comment_count: draw.popular(50),
        clap_count: draw.popular(200),
        reward_wallet_address: draw.chance(0.7) ? `0x${hexOf(draw, 40)}` : null,
        created_at: at(created),
        updated_at: at(updated),
      };
    }
  }

  /** Up to three makers besides the author. */
  function* makers(): Iterable<Row> {
    const drawOf = draws('bounty_submission_makers');
    for (let n = 0; n < scale.submissions; n++) {
      const draw = drawOf(n);
      const [count, step] = [draw.popular(4), 1 + draw.below(97)];
      for (let k = 1; k <= count; k++)
        yield {
          submission_id: ids.submission(n),
          position: k,
          user_id: ids.user((placeOf(n).user + k * step) % scale.users),
        };
    }
  }

  return { bounty_submissions: submissions, bounty_submission_makers: makers };
};
