// Parts that several pages share: links, sections, facts, people, and the items of lists.

import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { isActive } from '@commonhall/contract/shared';
import { sitePaths } from '@commonhall/contract/site';
import type { OperationId } from '@commonhall/contract/table';
import { urlOf } from '@commonhall/contract/url';
import type { AnyArgs, Args, Calls, Data } from './calls.ts';
import { meter } from './charts.ts';
import type { View } from './frame.ts';
import type { Html, HtmlValue } from './html.ts';
import { html } from './html.ts';
import type { PageData } from './pager.ts';
import { emptyList, pager } from './pager.ts';
import type { Pictures } from './pictures.ts';
import { counted, day, distance, name, notGiven, number, word } from './words.ts';

/** What the maker of a page gets. */
export interface PageContext<Id extends OperationId = OperationId> {
  /** The answer of the operation at this address. */
  data: Data<Id>;
  /** Its arguments as they were given, without defaults. */
  args: Args<Id>;
  call: Calls['call'];
  pictures: Pictures;
  /** The time in milliseconds. */
  now: number;
  /** The parameters that only the page has. */
  own: Readonly<Record<string, string>>;
}
export interface Designed<Id extends OperationId = OperationId> {
  /** Parameters of the page that are not passed on, with the form that they have. */
  own?: Readonly<Record<string, RegExp>>;
  /** The page without a query, where the operation needs one. */
  empty?: () => View;
  view: (context: PageContext<Id>) => Promise<View>;
}

/** The address of an operation's page. */
export const linkTo = <Id extends OperationId>(id: Id, args: Args<Id>): string =>
  urlOf(sitePaths.explore, id, args as AnyArgs);

export const section = (title: HtmlValue, more: HtmlValue, ...body: HtmlValue[]): Html =>
  html`<section><div class="bar-head"><h2>${title}</h2>${more}</div>${body}</section>`;
export const allOf = (total: number, href: string): Html => html`<a href="${href}">All ${number(total)}</a>`;

/** Pairs of a term and its value; a pair whose value is undefined is left out. */
export const facts = (pairs: readonly (readonly [term: string, value: HtmlValue])[]): Html =>
  html`<dl class="facts">${pairs
    .filter(([, value]) => value !== undefined)
    .map(([term, value]) => html`<div><dt>${term}</dt><dd>${value === null ? notGiven : value}</dd></div>`)}</dl>`;
export const figures = (pairs: readonly (readonly [term: string, value: HtmlValue])[]): Html =>
  html`<dl class="figures">${pairs.map(
    ([term, value]) => html`<div><dt>${term}</dt>
    <dd class="n">${value}</dd></div>`,
  )}</dl>`;

type User = Pick<Data<'getUser'>, 'username' | 'displayName' | 'avatar' | 'status'>;
/** A user whose account is not active is shown where they are embedded, but has no page. */
export const who = ({ picture }: Pictures, user: User): Html => {
  const shown = html`${picture(user.avatar?.sm ?? null, user.displayName, 'user s')}${name(user.displayName)}`;
  return isActive(user.status)
    ? html`<a class="who" href="${linkTo('getUser', { username: user.username })}">${shown}</a>`
    : html`<span class="who">${shown}</span>`;
};

/** A list with its pager, or why it has no items. */
export const paged = <Id extends OperationId>(
  id: Id,
  { args, data }: { args: Args<Id>; data: PageData },
  what: string,
  items: () => Html,
): Html => {
  const link = (page: number) => linkTo(id, { ...args, page: page === 1 ? undefined : page } as Args<Id>);
  const { page: _, ...others } = args as AnyArgs;
  const isNarrowed = Object.keys(others).some((key) => !['pageSize', 'sortBy', 'sortOrder'].includes(key));
  const body =
    data.items.length === 0 ? emptyList(data, what, link, isNarrowed ? link(1).replace(/\?.*/, '') : null) : items();
  return html`${body}${pager(data, link)}`;
};

type LaunchItem = Data<'listLaunches'>['items'][number];
/** A launch with its rank and its points beside those of the first. */
export const rankedLaunches = (pictures: Pictures, items: readonly LaunchItem[], isLed = false): Html => {
  const most = Math.max(1, ...items.map(({ launchWeekRating }) => launchWeekRating));
  return html`<ol class="ranks${isLed && ' lead'}">${items.map(
    (one) =>
      html`<li><span class="n"><span class="vh">Rank </span>${one.weekRank}</span>${pictures.picture(one.logoUrl, one.name)}
        <div><a class="name" href="${linkTo('getLaunch', { slug: one.slug })}">${name(one.name)}</a>
        <p class="clamp" dir="auto">${one.tagline}</p>
        <div class="meta">${who(pictures, one.submittedBy)}${one.topics.map(({ slug, name: topic }) => html`<a class="tag" href="${linkTo('listLaunches', { topic: slug })}">${name(topic)}</a>`)}${one.commentCount > 0 && html`<span class="n">${counted(one.commentCount, 'comment')}</span>`}</div></div>
        <div class="score"><b class="n">${number(one.launchWeekRating)}</b><span class="vh"> points in its week</span>${meter(one.launchWeekRating, most)}</div></li>`,
  )}</ol>`;
};
/** Launches one below the other, with their week. */
export const launchList = (items: readonly LaunchItem[]): Html =>
  html`<ul class="list">${items.map(
    (one) =>
      html`<li><a href="${linkTo('getLaunch', { slug: one.slug })}">${name(one.name)}</a>
        <p class="clamp soft small" dir="auto">${one.tagline}</p>
        <p class="soft small n">rank ${number(one.weekRank)} · ${counted(one.launchWeekRating, 'point')} · ${day(one.publishedAt)}</p></li>`,
  )}</ul>`;

type BountyItem = Data<'listBounties'>['items'][number];
export const prizeSum = (rewards: BountyItem['rewards']): string =>
  number(rewards.reduce((sum, { amount }) => sum + amount, 0));
const closing = ({ status, submissionEnd }: BountyItem, now: number): Html =>
  submissionEnd === null
    ? html`no closing day`
    : status === 'OPEN' && Date.parse(submissionEnd) >= now
      ? html`closes ${distance(submissionEnd, now)}, ${day(submissionEnd)}`
      : html`closed ${day(submissionEnd)}`;
export const bountyList = (items: readonly BountyItem[], now: number): Html =>
  html`<ul class="list">${items.map(
    (one) =>
      html`<li><a href="${linkTo('getBounty', { slug: one.slug })}">${name(one.title)}</a>
        <p class="clamp soft small" dir="auto">${one.shortDescription}</p>
        <p class="row small"><b class="n">${prizeSum(one.rewards)}</b><span class="tag">${word(one.status)}</span><span class="soft">${closing(one, now)} · ${name(one.sponsor.name)} · ${counted(one.submissionCount, 'submission')}</span></p></li>`,
  )}</ul>`;

type CollectionItem = Data<'listCollections'>['items'][number];
/** Badges as tiles; `note`: the line below the name. */
export const wall = (
  { picture }: Pictures,
  items: readonly CollectionItem[],
  kind: string,
  note?: (one: CollectionItem) => HtmlValue,
): Html =>
  html`<ul class="wall ${kind}">${items.map(
    (one) =>
      html`<li><a href="${linkTo('getCollection', { address: one.address })}">${picture(one.image, one.name, '', 96)}<b class="clamp small" dir="auto">${one.name}</b>${note !== undefined && html`<span class="soft small">${note(one)}</span>`}</a></li>`,
  )}</ul>`;

type ContestItem = Data<'listContests'>['items'][number];
export const contestCards = ({ picture }: Pictures, items: readonly ContestItem[], now: number): Html =>
  html`<ul class="cards">${items.map(
    (one) =>
      html`<li class="card">${picture(one.imageUrl, one.title, 'wide', 480)}
        <h3><a href="${linkTo('getContest', { idOrSlug: one.slug })}">${name(one.title)}</a></h3>
        <p class="clamp soft" dir="auto">${one.shortDescription}</p>
        <p class="row small"><span class="dot${one.displayStatus === 'active' && ' on'}">${word(one.displayStatus)}</span>${one.prizePool !== '' && html`<b>${name(one.prizePool)}</b>`}<span class="soft">voting ${one.displayStatus === 'active' ? 'ends' : 'ended'} ${distance(one.votingEnd, now)}</span></p></li>`,
  )}</ul>`;

export interface FacetValue {
  value: string | null;
  count: number;
}
/** A filter as a panel: each value with its exact count; the chosen one can be removed. A value without an address is one
 * that the filter does not take. */
export const facet = (
  title: string,
  values: readonly FacetValue[],
  chosen: string | undefined,
  hrefOf: (value: string | undefined) => string | null,
  textOf: (value: string) => string = word,
): Html => {
  const given = values.filter((one): one is { value: string; count: number } => one.value !== null);
  if (given.length === 0) return html``;
  const most = Math.max(...given.map(({ count }) => count));
  const item = ({ value, count }: { value: string; count: number }) => {
    const isChosen = value === chosen;
    const href = hrefOf(isChosen ? undefined : value);
    const body = html`${name(textOf(value))}<span class="n soft">${number(count)}</span>${meter(count, most)}`;
    return href === null
      ? html`<li><span>${body}</span></li>`
      : html`<li><a href="${href}"${isChosen && html` aria-current="true"`}>${body}</a></li>`;
  };
  const [first, others] = [given.slice(0, mostValues), given.slice(mostValues)];
  return html`<section class="facet"><h2 class="small">${title}</h2>
    <ul>${first.map(item)}</ul>${
      others.length > 0 &&
      html`<details><summary>${counted(others.length, 'more value')}</summary>
    <ul>${others.map(item)}</ul></details>`
    }</section>`;
};
const mostValues = 8;

/** The filters of a list as panels, in the order of their titles; `counts`: a group of each. Every link keeps the other
 * arguments, and begins at page 1. */
export const panels = <Id extends OperationId>(
  id: Id,
  args: Args<Id>,
  { groups }: Data<'countAgents'>,
  titles: Readonly<Record<string, string>>,
  textOf?: (key: string, value: string) => string,
): Html[] =>
  Object.entries(titles).map(([key, title]) => {
    const { page: _, [key]: chosen, ...others } = args as AnyArgs;
    const { enum: taken } = (operations[id] as Operation).query[key] as { enum?: readonly string[] };
    const hrefOf = (value: string | undefined) =>
      value !== undefined && taken?.includes(value) === false
        ? null
        : linkTo(id, { ...others, ...(value === undefined ? {} : { [key]: value }) } as Args<Id>);
    const values = groups.find(({ by }) => by === key)?.values ?? [];
    const text = textOf && ((value: string) => textOf(key, value));
    return facet(title, values, chosen === undefined ? undefined : String(chosen), hrefOf, text);
  });

/** The search of a list; the form also sends the filters. `more`: its other fields. */
export const searchForm = (
  action: string,
  text: string,
  q: string | undefined,
  filters: AnyArgs = {},
  more: HtmlValue = null,
): Html =>
  html`<form action="${action}" role="search">
    <label>${text}<input type="search" name="q" value="${q ?? ''}"></label>${more}
    ${Object.entries(filters).map(([key, value]) => html`<input type="hidden" name="${key}" value="${String(value)}">`)}
    <button>${more === null ? 'Search' : 'Show'}</button></form>`;

/** Whether search engines may list a page of a list: not a search, at most one filter, and something is on it. */
export const isListed = (q: string | undefined, filters: object, { items }: { items: readonly unknown[] }): boolean =>
  q === undefined && Object.keys(filters).length <= 1 && items.length > 0;
