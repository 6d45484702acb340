// Launches with their topics, makers and claps. The product of launch n is in repository n.
import { lighthouse } from './cast.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { Parts, Row } from './parts.ts';
import { dayMs, ids, some } from './parts.ts';
import { pictureUrl } from './pictures.ts';
import type { Project, Projects } from './projects.ts';
import { codeUrl } from './projects.ts';
import type { Draw } from './random.ts';
import { productWords, topics as topicNames } from './text/domain.ts';
import { capital } from './text/fill.ts';
import { plain } from './text/names.ts';

const topicId = new Map(topicNames.map((name, n) => [name, `topic-${n}`]));

const origins: readonly string[] = [
  'We built the first version in a weekend and then spent a year removing features.',
  'It started as a script that we were too embarrassed to publish.',
  'Two hundred people have used it during the beta, and their questions became the manual.',
  'The idea came from a conversation at a community meetup.',
  'We use it every day ourselves, which is the best test that we know.',
  'It is free for groups of up to twenty people and will stay that way.',
  'The source is public, and the first outside contribution arrived on the second day.',
];

const taglineOf = ({ name, domain, whom, does }: Project, draw: Draw): string => {
  const kind = draw.below(4);
  if (kind === 0) return `${capital(domain.thing)} that helps ${whom} ${does}`;
  if (kind === 1) return `${name} lets ${whom} ${does}`;
  if (kind === 2) return `Made for ${whom} who want to ${does}`;
  return capital(does);
};

/** The description of a product, which contest entries use too. */
export const describe = ({ name, domain, whom, does }: Project, draw: Draw): string[] => [
  `${name} is ${domain.thing} for ${whom}. It lets them ${does}.`,
  some(draw, domain.features, 2 + draw.below(2)).join(' '),
];

export const makeLaunches = (
  parts: Parts,
  known: LaunchFacts,
  projects: Projects,
): Record<string, () => Iterable<Row>> => {
  const { scale, draws, at, pictures } = parts;

  function* topics(): Iterable<Row> {
    for (const [n, name] of topicNames.entries()) yield { id: `topic-${n}`, slug: plain(name), name };
  }

  function* launches(): Iterable<Row> {
    const drawOf = draws('launches');
    for (let n = 0; n < scale.launches; n++) {
      const draw = drawOf(n);
      const project = projects.of(n);
      // Up to the number of words, product names differ in their first word, so their slugs need no number.
      const slug = n < productWords.length ? project.slug : `${project.slug}-${n}`;
      const status = n < 3 || draw.chance(0.85) ? 'LIVE' : draw.pick(['DRAFT', 'SCHEDULED', 'REJECTED']);
      const published = known.published(n);
      const rating = draw.popular(2000);
      const site = `https://${slug}.example`;
      const link = (url: string, probability = 0.4) => (draw.chance(probability) || n === 0 ? url : null);
      yield {
        id: ids.launch(n),
        slug,
        name: project.name,
        tagline: n === 0 ? lighthouse.tagline : taglineOf(project, draw),
        description: n === 0 ? lighthouse.description : [...describe(project, draw), draw.pick(origins)].join('\n\n'),
        logo_url: link(pictureUrl(pictures, 'logos', slug), 0.8),
        cta_url: link(`${site}/start`),
        website_url: link(site, 0.85),
        code_host_url: link(codeUrl(projects.repository(n)), 0.7),
        messenger_url: link(`https://chat.example/${slug}`),
        mini_app_url: link(`https://mini.example/${slug}`, 0.2),
        microblog_url: link(`https://micro.example/${slug}`),
        photo_social_url: link(`https://photos.example/${slug}`, 0.15),
        professional_network_url: link(`https://work.example/${slug}`, 0.2),
        video_site_url: link(`https://video.example/@${slug}`, 0.2),
        video_url: link(`https://video.example/watch/${slug}`, 0.3),
        screenshot_urls: Array.from({ length: n === 0 ? 3 : draw.below(5) }, (_, k) =>
          pictureUrl(pictures, 'screens', `${slug}-${k + 1}`),
        ),
        status,
        launch_week: status === 'LIVE' ? at(known.week(n)) : null,
        rating,
        launch_week_rating: draw.below(rating + 1),
        comment_count: draw.popular(60),
        submitted_by_id: ids.user(known.submitter(n)),
        featured_at: n < 24 && status === 'LIVE' ? at(Math.min(-n, published + 2 * dayMs)) : null,
        published_at: status === 'LIVE' ? at(published) : null,
        created_at: at(published - (1 + draw.below(9)) * dayMs),
        updated_at: at(Math.round(published * draw.unit())),
      };
    }
  }

  function* launchTopics(): Iterable<Row> {
    for (let n = 0; n < scale.launches; n++)
      for (const [k, topic] of projects.of(n).domain.topics.entries())
        yield { launch_id: ids.launch(n), position: k + 1, topic_id: topicId.get(topic) };
  }

  /** The submitter first, then up to three other users. */
  function* makers(): Iterable<Row> {
    const drawOf = draws('launch_makers');
    for (let n = 0; n < scale.launches; n++) {
      const draw = drawOf(n);
      const [count, step] = [1 + draw.popular(4), 1 + draw.below(97)];
      for (let k = 0; k < count; k++)
        yield {
          launch_id: ids.launch(n),
          position: k + 1,
          user_id: ids.user((known.submitter(n) + k * step) % scale.users),
        };
    }
  }

  function* claps(): Iterable<Row> {
    yield { launch_id: ids.launch(0), user_id: ids.user(3), claps: 7 };
    for (let n = 1; n < scale.launches; n++)
      yield { launch_id: ids.launch(n), user_id: ids.user(n % scale.users), claps: 1 + (n % 10) };
  }

  return { topics, launches, launch_topics: launchTopics, launch_makers: makers, launch_claps: claps };
};
