// The work of the demo world: bounties with submissions, launches, contests with entries and supporters.
import { cast } from './cast.ts';
import { drawsOf } from './random.ts';
import type { Parts, Row } from './world.ts';

const dayMs = 86_400_000;
const topicNames = ['Wallets', 'Games', 'Bots', 'Developer tools', 'Education', 'Markets', 'Social', 'Analytics'];

export const makeWork = (
  { seed, scale, ids, words, nowMs }: Parts,
  at: (offsetMs: number) => string,
): Record<string, () => Iterable<Row>> => {
  const bountyState = (n: number): string =>
    n === 0 ? 'COMPLETED' : (['OPEN', 'OPEN', 'REVIEW', 'COMPLETED', 'DRAFT', 'ARCHIVED'][n % 6] ?? 'OPEN');

  function* bounties(): Iterable<Row> {
    const draws = drawsOf(seed, 'bounties');
    for (let n = 0; n < scale.bounties; n++) {
      const draw = draws(n);
      const status = bountyState(n);
      const start = status === 'OPEN' ? -draw.below(20) : -60 - draw.below(600);
      const day = (offset: number) => (status === 'DRAFT' && draw.chance(0.5) ? null : at((start + offset) * dayMs));
      yield {
        id: ids.bounty(n),
        slug: n === 0 ? cast.bounty.slug : `${draw.pick(words.verbs)}-${draw.pick(words.nouns)}-${n}`,
        title:
          n === 0
            ? 'Write the guide'
            : `${draw.pick(words.verbs)} the ${draw.pick(words.adjectives)} ${draw.pick(words.nouns)}`,
        short_description: draw.pick(words.sentences),
        details: draw.pick(words.paragraphs),
        category: draw.pick(['CONTENT', 'DEVELOPMENT', 'DESIGN']),
        status,
        rewards: [1, 2, 3].slice(0, 1 + draw.below(3)).map((place) => ({ place, amount: (4 - place) * 250 })),
        image_url: draw.chance(0.7) ? `https://img.commonhall.example/b/${n}.png` : null,
        submission_start: day(0),
        submission_end: day(21),
        review_start: day(21),
        review_end: day(28),
        published_at: day(-1),
        completed_at: status === 'COMPLETED' && (n === 0 || draw.chance(0.9)) ? at((start + 28) * dayMs) : null,
        fields: [{ label: 'Link', type: 'url', required: true }],
        sponsor_id: ids.sponsor(n === 0 ? 0 : draw.popular(scale.sponsors)),
        submissions_visible: n === 0 || draw.chance(0.8),
        created_at: at((start - 10) * dayMs),
        updated_at: at((start - 2) * dayMs),
      };
    }
  }

  function* submissions(): Iterable<Row> {
    const draws = drawsOf(seed, 'bounty_submissions');
    for (let n = 0; n < scale.submissions; n++) {
      const draw = draws(n);
      // The first three won the cast's bounty; then each bounty has a first submission, which may have won.
      const own = n < 3 ? 0 : n - 3 < scale.bounties ? n - 3 : draw.popular(scale.bounties);
      const won = n < 3 || (n > 3 && n - 3 < scale.bounties && bountyState(own) === 'COMPLETED');
      const status = won ? 'WINNER' : draw.pick(['PENDING', 'PENDING', 'APPROVED', 'REJECTED', 'SPAM']);
      const user = n === 0 ? 0 : draw.below(scale.users);
      yield {
        id: ids.submission(n),
        bounty_id: ids.bounty(own),
        user_id: ids.user(user),
        title: `${draw.pick(words.adjectives)} ${draw.pick(words.nouns)}`,
        description: draw.pick(words.paragraphs),
        field_values: [{ label: 'Link', type: 'url', value: `https://work.example/${n}` }],
        additional_links: draw.chance(0.3) ? [{ name: 'Code', value: `https://code.example/${n}` }] : [],
        image_url: draw.chance(0.5) ? `https://img.commonhall.example/w/${n}.png` : null,
        status,
        moderation_reason: status === 'REJECTED' ? 'Does not follow the brief' : null,
        prize_place: won ? (n < 3 ? n + 1 : 1) : null,
        comment_count: draw.popular(50),
        clap_count: draw.popular(200),
        reward_wallet_address: draw.chance(0.7)
          ? `0x${draw
              .below(2 ** 31)
              .toString(16)
              .padStart(40, 'a')}`
          : null,
        created_at: at(-draw.below(600) * dayMs - n),
        updated_at: at(-draw.below(20) * dayMs),
      };
    }
  }

  /** Up to three people beside the author, different ones. */
  function* makersOf(count: number, idOf: (n: number) => string, key: string): Iterable<Row> {
    const draws = drawsOf(seed, `${key} makers`);
    for (let n = 0; n < count; n++) {
      const draw = draws(n);
      const first = draw.below(scale.users - 3);
      for (let k = 0; k < draw.below(3); k++) yield { [key]: idOf(n), position: k + 1, user_id: ids.user(first + k) };
    }
  }

  function* topics(): Iterable<Row> {
    for (const [n, name] of topicNames.entries())
      yield { id: `topic-${n}`, slug: name.toLowerCase().replace(' ', '-'), name };
  }

  const monday = Math.floor((nowMs / dayMs - 4) / 7) * 7 + 4; // the day of 1970 on which this week began

  function* launches(): Iterable<Row> {
    const draws = drawsOf(seed, 'launches');
    const weeks = Math.max(8, Math.floor(scale.launches / 1000));
    for (let n = 0; n < scale.launches; n++) {
      const draw = draws(n);
      const status = n === 0 || draw.chance(0.85) ? 'LIVE' : draw.pick(['DRAFT', 'SCHEDULED', 'REJECTED']);
      const week = monday - 7 * draw.below(weeks);
      const published = week * dayMs + draw.below(2 * dayMs) - nowMs;
      const link = (kind: string) => (draw.chance(0.4) ? `https://${kind}.example/${n}` : null);
      yield {
        id: ids.launch(n),
        slug: n === 0 ? cast.launch : `${draw.pick(words.nouns)}-${n}`,
        name: n === 0 ? 'Lighthouse' : `${draw.pick(words.adjectives)} ${draw.pick(words.nouns)}`,
        tagline: draw.pick(words.sentences),
        description: draw.pick(words.paragraphs),
        logo_url: link('logo'),
        cta_url: link('start'),
        website_url: link('site'),
        code_host_url: link('code'),
        messenger_url: link('chat'),
        mini_app_url: link('mini'),
        microblog_url: link('micro'),
        photo_social_url: link('photo'),
        professional_network_url: link('work'),
        video_site_url: link('tube'),
        video_url: link('video'),
        screenshot_urls: draw.chance(0.6) ? [`https://img.commonhall.example/l/${n}-1.png`] : [],
        status,
        launch_week: status === 'LIVE' ? at(week * dayMs - nowMs) : null,
        rating: draw.popular(2000),
        launch_week_rating: draw.popular(800),
        comment_count: draw.popular(60),
        submitted_by_id: ids.user(n < 3 ? 0 : draw.popular(scale.users)),
        featured_at: n < 24 ? at(-n * dayMs) : null,
        published_at: status === 'LIVE' ? at(published) : null,
        created_at: at(published - 3 * dayMs),
        updated_at: at(published),
      };
    }
  }

  function* launchTopics(): Iterable<Row> {
    const draws = drawsOf(seed, 'launch_topics');
    for (let n = 0; n < scale.launches; n++) {
      const first = draws(n).below(topicNames.length - 1);
      for (const k of [0, 1]) yield { launch_id: ids.launch(n), position: k + 1, topic_id: `topic-${first + k}` };
    }
  }

  function* claps(): Iterable<Row> {
    yield { launch_id: ids.launch(0), user_id: ids.user(3), claps: 7 };
    for (let n = 1; n < scale.launches; n++)
      yield { launch_id: ids.launch(n), user_id: ids.user(n % scale.users), claps: 1 + (n % 10) };
  }

  function* contests(): Iterable<Row> {
    const draws = drawsOf(seed, 'contests');
    for (let n = 0; n < scale.contests; n++) {
      const draw = draws(n);
      // The end of the voting lies on both sides of now.
      const end = n === 0 ? 10 : 20 - draw.below(700);
      yield {
        id: ids.contest(n),
        slug: n === 0 ? 'spring-build' : `contest-${n}`,
        title: n === 0 ? 'Spring Build' : `${draw.pick(words.adjectives)} ${draw.pick(words.nouns)} contest`,
        short_description: draw.pick(words.sentences),
        details: `# Brief\n\n${draw.pick(words.paragraphs)}`,
        rules: draw.pick(words.paragraphs),
        prize_pool: `${(1 + draw.below(50)) * 1000}`,
        image_url: draw.chance(0.7) ? `https://img.commonhall.example/k/${n}.png` : null,
        judge_user_ids: [ids.user(draw.below(scale.users))],
        status:
          n === 0
            ? 'VOTING'
            : end > 0
              ? draw.pick(['OPEN', 'VOTING', 'DRAFT'])
              : draw.pick(['COMPLETED', 'COMPLETED', 'CANCELLED']),
        direct_link_enabled: draw.chance(0.8),
        fields: draw.chance(0.7) ? [{ label: 'Repository', type: 'repository', required: true }] : null,
        tracks: ['Main', 'Newcomers'].map((name, k) => ({
          id: `track-${n}-${k}`,
          name,
          description: null,
          prizePool: null,
        })),
        submission_start: at((end - 60) * dayMs),
        submission_end: at((end - 20) * dayMs),
        voting_start: at((end - 20) * dayMs),
        voting_end: at(end * dayMs),
        created_by_id: ids.user(1),
        created_at: at((end - 90) * dayMs),
        updated_at: at((end - 60) * dayMs),
      };
    }
  }

  function* collectionContests(): Iterable<Row> {
    for (let n = 0; n < scale.contests; n++)
      yield {
        collection_address: ids.collection(n % scale.collections),
        contest_id: ids.contest(n),
        role: n % 2 === 0 ? 'PARTICIPANT' : 'WINNER',
      };
  }

  function* entries(): Iterable<Row> {
    const draws = drawsOf(seed, 'contest_submissions');
    for (let n = 0; n < scale.entries; n++) {
      const draw = draws(n);
      const contest = n === 0 ? 0 : draw.popular(scale.contests);
      const status = n === 0 ? 'WINNER' : draw.pick(['APPROVED', 'APPROVED', 'WINNER', 'PENDING', 'REJECTED']);
      yield {
        id: ids.entry(n),
        contest_id: ids.contest(contest),
        user_id: ids.user(n === 0 ? 0 : draw.below(scale.users)),
        title: n === 0 ? 'Lighthouse' : `${draw.pick(words.adjectives)} ${draw.pick(words.nouns)}`,
        description: draw.pick(words.paragraphs),
        track_ids: [`track-${contest}-0`],
        image_url: draw.chance(0.5) ? `https://img.commonhall.example/e/${n}.png` : null,
        field_values: [{ label: 'Repository', type: 'repository', value: `https://code.example/${n}` }],
        additional_links: [],
        status,
        moderation_reason: status === 'REJECTED' ? 'Out of scope' : null,
        comment_count: draw.popular(40),
        prize_place: status === 'WINNER' ? 1 + draw.below(3) : null,
        repository_platform: n === 0 ? 'github' : null,
        repository_platform_id: n === 0 ? '1' : null,
        created_at: at(-draw.below(500) * dayMs),
        updated_at: at(-draw.below(10) * dayMs),
      };
    }
  }

  function* supporters(): Iterable<Row> {
    const draws = drawsOf(seed, 'contest_submission_supporters');
    for (let n = 0; n < scale.supporters; n++) {
      const draw = draws(n);
      // The user follows from the number, so that nobody supports an entry twice.
      const entry =
        n < Math.min(40, scale.users) ? 0 : 1 + ((Math.floor(n / scale.users) * 7919 + n) % (scale.entries - 1));
      yield {
        user_id: ids.user(n % scale.users),
        submission_id: ids.entry(entry),
        voting_tier: draw.pick(['SILVER', 'SILVER', 'GOLD', 'PLATINUM', 'BRONZE']),
        created_at: at(-draw.below(300) * dayMs),
      };
    }
  }

  return {
    bounties,
    bounty_submissions: submissions,
    bounty_submission_makers: () => makersOf(scale.submissions, ids.submission, 'submission_id'),
    topics,
    launches,
    launch_topics: launchTopics,
    launch_makers: () => makersOf(scale.launches, ids.launch, 'launch_id'),
    launch_claps: claps,
    contests,
    collection_contests: collectionContests,
    contest_submissions: entries,
    contest_submission_supporters: supporters,
  };
};
