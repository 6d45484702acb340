// The pages that begin with no single list: home, search in all lists, and the index of all operations.
import { operations } from '@commonhall/contract';
import { tags } from '@commonhall/contract/openapi-texts';
import type { Operation } from '@commonhall/contract/operation';
import { sitePaths } from '@commonhall/contract/site';
import { urlOf } from '@commonhall/contract/url';
import type { Calls, Data } from './calls.ts';
import type { View } from './frame.ts';
import type { Html, HtmlValue } from './html.ts';
import { html } from './html.ts';
import type { Designed } from './parts.ts';
import {
  allOf,
  bountyList,
  contestCards,
  figures,
  launchList,
  linkTo,
  rankedLaunches,
  searchForm,
  section,
  wall,
} from './parts.ts';
import type { Pictures } from './pictures.ts';
import { counted, day, dayText, name, number } from './words.ts';

const searchAll = (q?: string): Html => searchForm(`${sitePaths.explore}/search`, 'Search everything', q);

/** The home page of the explorer has no operation of its own. */
export const homeView = async (
  call: Calls['call'],
  pictures: Pictures,
  now: number,
  community: string,
): Promise<View> => {
  const [counts, weeks] = await Promise.all([call('getCounts', {}), call('listLaunchWeeks', { pageSize: 1 })]);
  const week = weeks.items[0]?.launchWeek;
  const [launches, bounties, contests, badges] = await Promise.all([
    week === undefined ? null : call('listLaunches', { launchWeek: week, pageSize: 10 }),
    call('listBounties', { status: 'OPEN', sortBy: 'submissionEnd', from: new Date(now).toISOString(), pageSize: 6 }),
    call('listContests', { displayStatus: 'active', pageSize: 3 }),
    call('listCollections', { pageSize: 6 }),
  ]);
  const open = counts.bountiesByStatus.find(({ value }) => value === 'OPEN')?.count ?? 0;
  const linked = (count: number, href: string): HtmlValue => html`<a href="${href}">${number(count)}</a>`;
  const shown: (readonly [count: number, text: string, value: HtmlValue])[] = [
    [counts.holdings, 'badges earned', number(counts.holdings)],
    [counts.launches, 'launches', linked(counts.launches, linkTo('listLaunches', {}))],
    [counts.bounties, 'open bounties', linked(open, linkTo('listBounties', { status: 'OPEN' }))],
    [counts.collections, 'badge collections', linked(counts.collections, linkTo('listCollections', {}))],
    [counts.repositories, 'repositories', linked(counts.repositories, linkTo('listRepositories', {}))],
    [counts.agents, 'agents', linked(counts.agents, linkTo('listAgents', {}))],
  ];
  return {
    title: 'This week',
    description: 'Launches of the week, open bounties, new badges and the numbers of the community.',
    hero: html`<h1>This week at ${name(community)}</h1>`,
    lede: html`What people built, what is asked for and what was earned, up to ${day(new Date(now).toISOString())}.`,
    isIndexed: true,
    canonical: sitePaths.explore,
    feed: 'launches',
    main: html`${searchAll()}
      ${figures(shown.filter(([count]) => count > 0).map(([, text, value]) => [text, value]))}<div class="cols">
      <div class="stack">${
        launches !== null &&
        week !== undefined &&
        section(
          `Launches, week of ${dayText(week)}`,
          html`<a href="${linkTo('listLaunches', { launchWeek: week })}">The whole week and earlier ones</a>`,
          rankedLaunches(pictures, launches.items, true),
        )
      }</div>
      <div class="stack">${counts.bounties > 0 && section('Closing next', html`<a href="${linkTo('listBounties', { status: 'OPEN' })}">All open bounties</a>`, bounties.items.length === 0 ? html`<p class="none">No bounty is open now.</p>` : bountyList(bounties.items, now))}</div></div>${contests.items.length > 0 && section('Running contests', allOf(contests.total, linkTo('listContests', { displayStatus: 'active' })), contestCards(pictures, contests.items, now))}${counts.collections > 0 && section('Newest badges', allOf(badges.total, linkTo('listCollections', {})), wall(pictures, badges.items, 'six'))}`,
  };
};

/** The search page before anything is searched for. */
const emptySearch = (): View => ({
  title: 'Search',
  description: 'Search launches, bounties, contests, badges, repositories, agents and sponsors.',
  current: 'search',
  lede: 'Launches, bounties, contests, badges, repositories, agents and sponsors, by a part of their name or title.',
  main: searchAll(),
});

type Found = Data<'search'>;
const search: Designed<'search'> = {
  empty: emptySearch,
  view: async ({ data, args, pictures, now }) => {
    const q = args.q ?? '';
    const parts: { [K in keyof Found]: readonly [title: string, href: string, body: HtmlValue] } = {
      launches: ['Launches', linkTo('listLaunches', { q }), launchList(data.launches.items)],
      bounties: ['Bounties', linkTo('listBounties', { q }), bountyList(data.bounties.items, now)],
      contests: ['Contests', linkTo('listContests', { q }), contestCards(pictures, data.contests.items, now)],
      collections: [
        'Badges',
        linkTo('listCollections', { q }),
        wall(pictures, data.collections.items, '', (one) => counted(one.holdersCount, 'holder')),
      ],
      repositories: [
        'Repositories',
        linkTo('listRepositories', { q }),
        html`<ul class="list">${data.repositories.items.map((one) => html`<li><a href="${linkTo('getRepository', { platform: one.platform, platformId: one.platformId })}">${name(`${one.owner}/${one.name}`)}</a>${one.description !== null && html`<p class="clamp soft small" dir="auto">${one.description}</p>`}</li>`)}</ul>`,
      ],
      agents: [
        'Agents',
        linkTo('listAgents', { q }),
        html`<ul class="list">${data.agents.items.map(
          (one) => html`<li><a href="${linkTo('getAgent', { name: one.name })}">${name(one.displayName)}</a>
          <p class="clamp soft small" dir="auto">${one.bio}</p></li>`,
        )}</ul>`,
      ],
      sponsors: [
        'Sponsors',
        linkTo('listSponsors', { q }),
        html`<ul class="list">${data.sponsors.items.map((one) => html`<li><a href="${linkTo('listBounties', { sponsorId: one.slug })}">${name(one.name)}</a></li>`)}</ul>`,
      ],
    };
    const found = Object.entries(parts).filter(([key]) => data[key as keyof Found].total > 0);
    const total = found.reduce((sum, [key]) => sum + data[key as keyof Found].total, 0);
    return {
      title: `Search: ${q}`,
      description: `What matches ${q}.`,
      current: 'search',
      hero: html`<h1>Search</h1>`,
      lede: html`${counted(total, 'match', 'matches')} for ${name(q)}.`,
      main: html`${searchAll(q)}${
        total === 0
          ? html`<div class="empty"><p>Nothing matches.</p>
        <p>Try fewer or shorter words. People are found by what they published.</p></div>`
          : found.map(([key, [title, href, body]]) => section(title, allOf(data[key as keyof Found].total, href), body))
      }`,
    };
  },
};
export const operationsView = (): View => {
  const all = Object.values<Operation>(operations);
  const ofTag = ([tag, text]: [string, string]) => {
    const some = all.filter((operation) => operation.tag === tag);
    if (some.length === 0) return null;
    return section(
      tag,
      html`<p class="soft">${text}</p>`,
      html`<ul class="list">${some.map((operation) => html`<li><a href="${urlOf(sitePaths.explore, operation.id, operation.example)}">${operation.summary}</a><code class="soft">${operation.path}</code></li>`)}</ul>`,
    );
  };
  return {
    title: 'API',
    description: 'Every operation of the API, each with its page.',
    current: 'operations',
    lede: `${counted(all.length, 'operation')}, each with its page: what it answers, and a form for what it takes. The links have the examples of the documentation.`,
    isIndexed: true,
    canonical: `${sitePaths.explore}/operations`,
    main: html`<div class="stack">${Object.entries(tags).map(ofTag)}</div>`,
  };
};

export const searchPages = { search };
