// Bounties: each follows a brief. The facts that its submissions need are computed from its number.
import { cast } from './cast.ts';
import type { Parts, Row } from './parts.ts';
import { dayMs, ids, nth, some } from './parts.ts';
import type { People } from './people.ts';
import { pictureUrl } from './pictures.ts';
import type { Brief } from './text/brief.ts';
import { audiences, closings, products } from './text/brief.ts';
import { contentBriefs, guideBrief } from './text/briefs-content.ts';
import { designBriefs } from './text/briefs-design.ts';
import { developmentBriefs } from './text/briefs-development.ts';
import type { Slots } from './text/fill.ts';
import { fill } from './text/fill.ts';
import { plain } from './text/names.ts';

const briefs: readonly Brief[] = [...contentBriefs, ...developmentBriefs, ...designBriefs];
const states = ['OPEN', 'OPEN', 'REVIEW', 'COMPLETED', 'DRAFT', 'ARCHIVED'];

export interface Bounty {
  brief: Brief;
  slots: Slots;
  title: string;
  status: string;
  sponsor: number;
  /** Days from now at which submissions open, for 21 days; the review takes seven more. */
  start: number;
  /** The number of prize places. */
  places: number;
}

export interface Bounties {
  of: (n: number) => Bounty;
  status: (n: number) => string;
}

export const bountiesOf = ({ scale, draws, shift }: Parts, people: People): Bounties => {
  const drawOf = draws('bounty facts');
  const status = (n: number): string => (n === 0 ? 'COMPLETED' : nth(states, n));
  return {
    status,
    of: (n) => {
      const draw = drawOf(n);
      const state = status(n);
      const brief = n === 0 ? guideBrief : nth(briefs, n * 5 + shift);
      const sponsor = n === 0 ? 0 : draw.popular(scale.sponsors);
      // No subject of a brief repeats before all have been used.
      const subject = nth(brief.subjects, Math.floor(n / briefs.length) + shift);
      const slots = {
        subject,
        audience: draw.pick(audiences),
        product: draw.pick(products),
        sponsor: people.sponsorName(sponsor),
      };
      const starts: Record<string, () => number> = {
        OPEN: () => -1 - draw.below(18),
        REVIEW: () => -22 - draw.below(5),
        DRAFT: () => 5 + draw.below(30),
      };
      const start = n === 0 ? -75 : (starts[state]?.() ?? -60 - draw.below(600));
      const title = fill(draw.pick(brief.titles), slots);
      return { brief, slots, title, status: state, sponsor, start, places: n === 0 ? 3 : 1 + draw.below(3) };
    },
  };
};

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

export const makeBounties = (parts: Parts, known: Bounties): Record<string, () => Iterable<Row>> => {
  const { scale, draws, at, pictures } = parts;

  function* bounties(): Iterable<Row> {
    const drawOf = draws('bounties');
    for (let n = 0; n < scale.bounties; n++) {
      const draw = drawOf(n);
      const { brief, slots, title, status, sponsor, start, places } = known.of(n);
      const slug = n === 0 ? cast.bounty.slug : `${plain(title).slice(0, 80).replace(/-$/, '')}-${n}`;
      const isDraft = status === 'DRAFT';
      const isPlanned = !isDraft || draw.chance(0.5);
      const day = (offset: number) => (isPlanned ? at((start + offset) * dayMs) : null);
      const created = isDraft ? -5 - draw.below(40) : start - 4 - draw.below(20);
      const completed = start + 28 + draw.below(4);
      const changed = status === 'COMPLETED' ? completed : (isDraft ? created : start - 1) * draw.unit();
      const first = draw.pick(brief.prizes);
      const details = [
        fill(draw.pick(brief.why), slots),
        `## What we are looking for\n\n${list(brief.wanted.map((line) => fill(line, slots)))}`,
        `## How entries are judged\n\n${list(brief.judged.map((line) => fill(line, slots)))}`,
        `## Good to know\n\n${some(draw, closings, 2).join('\n\n')}`,
      ];
      yield {
        id: ids.bounty(n),
        slug,
        title,
        short_description: fill(draw.pick(brief.short), slots),
        details: details.join('\n\n'),
        category: brief.category,
        status,
        rewards: [1, 0.5, 0.25]
          .slice(0, places)
          .map((part, k) => ({ place: k + 1, amount: Math.round((first * part) / 5) * 5 })),
        image_url: draw.chance(0.7) || n === 0 ? pictureUrl(pictures, 'bounties', slug) : null,
        submission_start: day(0),
        submission_end: day(21),
        review_start: day(21),
        review_end: day(28),
        published_at: isDraft ? null : at((start - 1) * dayMs),
        completed_at: status === 'COMPLETED' && (n === 0 || draw.chance(0.9)) ? at(completed * dayMs) : null,
        fields: brief.fields.map(({ label, type, required }) => ({ label, type, required })),
        sponsor_id: ids.sponsor(sponsor),
        submissions_visible: n % 5 !== 2,
        created_at: at(created * dayMs),
        updated_at: at(changed * dayMs),
      };
    }
  }

  return { bounties };
};
