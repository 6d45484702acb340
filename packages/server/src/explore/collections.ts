// Pages of badge collections: the wall with filters, and one collection with its holders.
import { html } from './html.ts';
import { placeOf } from './pager.ts';
import type { Designed } from './parts.ts';
import { allOf, facts, figures, isListed, linkTo, paged, panels, searchForm, section, wall, who } from './parts.ts';
import { longText, outwards } from './text.ts';
import { counted, day, name, number, word } from './words.ts';

const filterNames = {
  type: 'Type',
  importance: 'Importance',
  isSbt: 'Soulbound',
  category: 'Category',
  source: 'Source',
};
const orders = [
  ['createdAt', 'Newest'],
  ['holdersCount', 'Most holders'],
  ['name', 'Name'],
] as const;

const list: Designed<'listCollections'> = {
  view: async (context) => {
    const { args, data, call, pictures } = context;
    const { page: _, pageSize: __, q, sortBy, sortOrder, from, to, ...filters } = args;
    const counts = await call('countCollections', { ...filters, by: Object.keys(filterNames).join() });
    return {
      title: 'Badges',
      description: 'Collections of badges that people earned.',
      current: 'collections',
      lede: 'Collections of badges that people earned.',
      isIndexed: isListed(q, filters, data),
      canonical: linkTo('listCollections', args),
      main: html`${searchForm(linkTo('listCollections', {}), 'Search badges', q, filters)}
        <div class="cols"><section><div class="bar-head"><h2>${placeOf(data, 'collection')}</h2>
        <p class="row">${orders.map(([key, text]) => {
          const isChosen = (sortBy ?? 'createdAt') === key;
          const order =
            key === 'createdAt' ? {} : { sortBy: key, ...(key === 'name' ? { sortOrder: 'asc' as const } : {}) };
          return html`<a class="tag${isChosen && ' on'}"${isChosen && html` aria-current="true"`} href="${linkTo('listCollections', { ...filters, ...(q === undefined ? {} : { q }), ...order })}">${text}</a>`;
        })}<a class="jump" href="#filters">Filters</a></p></div>
        ${paged('listCollections', context, 'collections', () => wall(pictures, data.items, '', (one) => counted(one.holdersCount, 'holder')))}</section>
        <div class="stack facets" id="filters">${panels('listCollections', args, counts, filterNames, (key, value) =>
          key === 'isSbt' ? (value === 'true' ? 'Yes' : 'No') : word(value),
        )}</div></div>`,
    };
  },
};

const one: Designed<'getCollection'> = {
  view: async ({ data, call, pictures }) => {
    const holders = await call('listCollectionHolders', { address: data.address, pageSize: 12 });
    return {
      title: data.name,
      description: data.description,
      current: 'collections',
      crumbs: [['Badges', linkTo('listCollections', {})]],
      hero: html`<div class="hero">${pictures.picture(data.image, data.name, 'l', 512)}<div>
        <h1>${name(data.name)}</h1><p class="soft mono">${name(data.address)}</p>
        <p class="tags"><a class="tag" href="${linkTo('listCollections', { type: data.type })}">${name(word(data.type))}</a><a class="tag" href="${linkTo('listCollections', { category: data.category })}">${name(word(data.category))}</a>${data.isWinner && html`<span class="tag on">For winners</span>`}</p></div></div>`,
      isIndexed: true,
      canonical: linkTo('getCollection', { address: data.address }),
      image: pictures.allowed(data.image),
      main: html`${figures([
        ['holders', number(data.holdersCount)],
        ['next item', number(data.nextItemIndex)],
        ['contests', number(data.contests.length)],
      ])}<div class="cols"><div class="stack">${section('What it is for', null, longText(data.description))}${section(
        'Holders, the first ones first',
        holders.total > 0 && allOf(holders.total, linkTo('listCollectionHolders', { address: data.address })),
        holders.items.length === 0
          ? html`<p class="none">Nobody holds it yet.</p>`
          : html`<ol class="list">${holders.items.map((user) => html`<li class="line">${who(pictures, user)}<span class="soft small">${user.tags.map(({ tag, tier }) => `${word(tag)} ${word(tier).toLowerCase()}`).join(', ')}</span></li>`)}</ol>`,
      )}</div><div class="stack">${section(
        'Facts',
        null,
        facts([
          ['Soulbound', data.isSbt ? 'Yes' : 'No'],
          ['Importance', word(data.importance)],
          ['Source', word(data.source)],
          ['Creator', data.creatorAddress === null ? null : html`<code>${data.creatorAddress}</code>`],
          ['On chain since', day(data.onChainCreatedAt)],
          ['Added', day(data.createdAt)],
          ['Page', data.externalLink === null ? null : outwards(data.externalLink)],
          [
            'Elsewhere',
            data.socialLinks.length === 0 ? undefined : data.socialLinks.map((url) => html`<p>${outwards(url)}</p>`),
          ],
        ]),
      )}${
        data.contests.length > 0 &&
        section(
          'Contests',
          null,
          html`<ul class="list">${data.contests.map(
            (
              contest,
            ) => html`<li><a href="${linkTo('getContest', { idOrSlug: contest.slug })}">${name(contest.title)}</a>
        <p class="soft small">${name(word(contest.role))} · ${word(contest.status)}</p></li>`,
          )}</ul>`,
        )
      }</div></div>`,
    };
  },
};

export const collectionPages = { listCollections: list, getCollection: one };
