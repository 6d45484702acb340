// Pages of launches: all of them or those of a topic, a week by rank, and one launch.
import type { Data } from './calls.ts';
import { weekBars } from './charts.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import { placeOf } from './pager.ts';
import type { Designed, PageContext } from './parts.ts';
import { facet, facts, figures, isListed, launchList, linkTo, paged, rankedLaunches, section, who } from './parts.ts';
import { longText, outwards, safeUrl } from './text.ts';
import { counted, day, dayText, name, number, word } from './words.ts';

type Week = Data<'listLaunchWeeks'>['items'][number];
const weekMs = 7 * 86_400_000;
const bars = 12;

const weekLink = (launchWeek: string) => linkTo('listLaunches', { launchWeek });
/** The weeks around one, oldest first, and its neighbours. */
const weeksAround = async ({ call, args }: PageContext<'listLaunches'>): Promise<Html> => {
  const { launchWeek } = args;
  // Half of the bars may be later than the week: a range that ends after them.
  const to =
    launchWeek && new Date(Math.min(Date.parse(launchWeek) + (bars / 2) * weekMs, 253402300799000)).toISOString();
  const { items } = await call('listLaunchWeeks', { pageSize: bars, ...(to === undefined ? {} : { to }) });
  if (items.length === 0) return html``;
  const weeks = items.toReversed();
  const at = weeks.findIndex((one) => one.launchWeek === launchWeek);
  const [before, after] = at === -1 ? [] : [weeks[at - 1], weeks[at + 1]];
  const neighbour = (week: Week | undefined, rel: string, text: (day: string) => string) =>
    week !== undefined &&
    html`<a rel="${rel}" href="${weekLink(week.launchWeek)}">${text(dayText(week.launchWeek))}</a>`;
  const entries = weeks.map(({ launchWeek: instant, launchCount }) => ({
    href: weekLink(instant),
    instant,
    count: launchCount,
    isCurrent: instant === launchWeek,
  }));
  return html`<section aria-label="Weeks">${weekBars(entries)}${at !== -1 && html`<nav class="row small" aria-label="Neighbouring weeks">${neighbour(before, 'prev', (text) => `← Week of ${text}`)}${neighbour(after, 'next', (text) => `Week of ${text} →`)}</nav>`}</section>`;
};

const list: Designed<'listLaunches'> = {
  view: async (context) => {
    const { args, data, call, pictures } = context;
    const { launchWeek, topic, q } = args;
    const { page: _, pageSize: __, ...filters } = args;
    const [weeks, counts] = await Promise.all([
      weeksAround(context),
      call('countLaunches', {
        ...(launchWeek === undefined ? {} : { launchWeek }),
        ...(topic === undefined ? {} : { topic }),
        by: 'topic',
      }),
    ]);
    const topicName = data.items[0]?.topics.find(({ slug }) => slug === topic)?.name ?? topic;
    const title =
      launchWeek !== undefined
        ? `Week of ${dayText(launchWeek)}`
        : topic !== undefined
          ? `Launches: ${topicName}`
          : 'Launches';
    const order = launchWeek === undefined ? 'newest first' : 'by the points they got within their week';
    const lede = `${counted(data.total, 'launch', 'launches')}, ${order}.`;
    const names = new Map(data.items.flatMap(({ topics }) => topics.map((one) => [one.slug, one.name] as const)));
    const hrefOf = (value: string | undefined) =>
      linkTo('listLaunches', {
        ...(launchWeek === undefined ? {} : { launchWeek }),
        ...(value === undefined ? {} : { topic: value }),
      });
    const items = () =>
      launchWeek === undefined || q !== undefined ? launchList(data.items) : rankedLaunches(pictures, data.items);
    return {
      title,
      description: lede,
      current: 'launches',
      ...(launchWeek === undefined && topic === undefined
        ? {}
        : { crumbs: [['Launches', linkTo('listLaunches', {})]] }),
      lede,
      isIndexed: isListed(q, filters, data),
      canonical: linkTo('listLaunches', args),
      feed: 'launches',
      main: html`${weeks}<div class="cols"><section><div class="bar-head">
        <h2>${placeOf(data, 'launch', 'launches')}</h2>${launchWeek !== undefined && html`<p class="soft">points in the week</p>`}</div>
        ${paged('listLaunches', context, 'launches', items)}</section><div class="stack facets" id="filters">
        ${facet('Topics', counts.groups[0]?.values ?? [], topic, hrefOf, (slug) => names.get(slug) ?? word(slug))}</div></div>`,
    };
  },
};

const links: readonly (readonly [key: keyof Data<'getLaunch'>, text: string])[] = [
  ['websiteUrl', 'Website'],
  ['codeHostUrl', 'Code'],
  ['messengerUrl', 'Messenger'],
  ['miniAppUrl', 'Mini app'],
  ['microblogUrl', 'Microblog'],
  ['photoSocialUrl', 'Photos'],
  ['professionalNetworkUrl', 'Professional network'],
  ['videoSiteUrl', 'Video channel'],
  ['videoUrl', 'Video'],
];

const one: Designed<'getLaunch'> = {
  view: async ({ data, pictures }) => {
    const action = data.ctaUrl === null ? null : safeUrl(data.ctaUrl);
    const given = links.flatMap(([key, text]) =>
      typeof data[key] === 'string' ? [[text, outwards(data[key])] as const] : [],
    );
    const shots = data.screenshotUrls.filter((url) => pictures.allowed(url) !== null);
    return {
      title: data.name,
      description: data.tagline,
      current: 'launches',
      crumbs: [
        ['Launches', linkTo('listLaunches', {})],
        [`Week of ${dayText(data.launchWeek)}`, weekLink(data.launchWeek)],
      ],
      hero: html`<div class="hero">${pictures.picture(data.logoUrl, data.name, 'l', 256)}<div>
        <h1>${name(data.name)}</h1><p class="lede" dir="auto">${data.tagline}</p>
        <p class="tags">${data.topics.map(({ slug, name: topic }) => html`<a class="tag" href="${linkTo('listLaunches', { topic: slug })}">${name(topic)}</a>`)}</p>${action !== null && html`<p><a class="button" href="${action}" rel="nofollow ugc noopener">Open ${name(data.name)}</a></p>`}</div></div>`,
      isIndexed: true,
      canonical: linkTo('getLaunch', { slug: data.slug }),
      image: pictures.allowed(data.logoUrl),
      main: html`${figures([
        ['rank in its week', html`<a href="${weekLink(data.launchWeek)}">${number(data.weekRank)}</a>`],
        ['points in its week', number(data.launchWeekRating)],
        ['points of all time', number(data.rating)],
        ['comments', number(data.commentCount)],
      ])}<div class="cols">
        <div class="stack">${
          shots.length > 0 &&
          html`<section><div class="bar-head"><h2>Screenshots</h2></div>
        <div class="shots" tabindex="0" role="region" aria-label="Screenshots">${shots.map((url, n) => html`<span class="pic"><img src="${url}" alt="Screenshot ${n + 1} of ${data.name}" width="640" height="400" loading="lazy" decoding="async" referrerpolicy="no-referrer"></span>`)}</div></section>`
        }
        ${section('Description', null, longText(data.description))}</div><div class="stack">${section(
          'People',
          null,
          facts([
            ['Submitted by', who(pictures, data.submittedBy)],
            [
              'Makers',
              data.makers.length === 0 ? undefined : data.makers.map((maker) => html`<p>${who(pictures, maker)}</p>`),
            ],
          ]),
        )}${given.length > 0 && section('Links', null, facts(given))}${section(
          'Dates',
          null,
          facts([
            ['Published', day(data.publishedAt)],
            ['Featured', data.featuredAt === null ? undefined : day(data.featuredAt)],
            ['Changed', day(data.updatedAt)],
          ]),
        )}</div></div>`,
    };
  },
};

export const launchPages = { listLaunches: list, getLaunch: one };
