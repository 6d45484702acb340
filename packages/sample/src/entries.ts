// Contest entries and their supporters. The product of entry n is in repository `launches + n`; entry 0 is Lighthouse,
// of the cast.
import { lighthouse } from './cast.ts';
import type { Contests } from './contests.ts';
import { describe } from './launches.ts';
import type { Parts, Row } from './parts.ts';
import { dayMs, ids } from './parts.ts';
import { pictureUrl } from './pictures.ts';
import type { Projects } from './projects.ts';
import { codeUrl } from './projects.ts';

const reasons: readonly string[] = [
  'Out of scope',
  'The demo does not load',
  'Published before the contest began',
  'The repository is private',
];
const plans: readonly string[] = [
  'The demo is live. Offline support is next.',
  'We are a team of two and looking for a designer.',
  'Everything that you see was built during the contest.',
  'Forty people tested it, and their notes are in the repository.',
  'Next we want to run it with a real group for three months.',
  'Feedback is welcome, harsh feedback too.',
];

export const makeEntries = (parts: Parts, known: Contests, projects: Projects): Record<string, () => Iterable<Row>> => {
  const { scale, draws, at, pictures } = parts;
  const repositoryOf = (n: number): number => (n === 0 ? 0 : scale.launches + n);

  function* entries(): Iterable<Row> {
    const drawOf = draws('contest_submissions');
    for (let n = 0; n < scale.entries; n++) {
      const draw = drawOf(n);
      const { contest, user, status, place, created, updated, track, trackId } = known.entry(n);
      const { title, fields } = known.of(contest);
      const repository = projects.repository(repositoryOf(n));
      const { project } = repository;
      const values: Record<string, string> = {
        Repository: codeUrl(repository),
        Demo: `https://${project.slug}.example/demo`,
        Video: `https://video.example/watch/${project.slug}-${n}`,
      };
      const isLinked = n === 0 || draw.chance(0.5);
      const pitch = `We entered it in the track “${track.name}” of the ${title}. ${draw.pick(plans)}`;
      yield {
        id: ids.entry(n),
        contest_id: ids.contest(contest),
        user_id: ids.user(user),
        title: project.name,
        description: [...(n === 0 ? [lighthouse.description] : describe(project, draw)), pitch].join('\n\n'),
        track_ids: [trackId],
        image_url: draw.chance(0.5) || n === 0 ? pictureUrl(pictures, 'entries', `${project.slug}-${n}`) : null,
        field_values: (fields ?? []).map(({ label, type }) => ({ label, type, value: values[label] ?? '' })),
        additional_links: draw.chance(0.3) ? [{ name: 'Slides', value: `https://slides.example/${project.slug}` }] : [],
        status,
        moderation_reason: status === 'REJECTED' ? draw.pick(reasons) : null,
        comment_count: draw.popular(40),
        prize_place: place,
        repository_platform: isLinked ? repository.platform : null,
        repository_platform_id: isLinked ? String(repositoryOf(n) + 1) : null,
        created_at: at(created),
        updated_at: at(updated),
      };
    }
  }

  function* supporters(): Iterable<Row> {
    const drawOf = draws('contest_submission_supporters');
    for (let n = 0; n < scale.supporters; n++) {
      const draw = drawOf(n);
      // The user is computed from the number, so that no user supports an entry twice.
      const entry =
        n < Math.min(40, scale.users) ? 0 : 1 + ((Math.floor(n / scale.users) * 7919 + n) % (scale.entries - 1));
      const { created, contest } = known.entry(entry);
      const ends = Math.min(0, known.of(contest).end * dayMs);
      yield {
        user_id: ids.user(n % scale.users),
        submission_id: ids.entry(entry),
        voting_tier: draw.pick(['SILVER', 'SILVER', 'GOLD', 'PLATINUM', 'BRONZE']),
        created_at: at(created + draw.unit() * (ends - created)),
      };
    }
  }

  return { contest_submissions: entries, contest_submission_supporters: supporters };
};
