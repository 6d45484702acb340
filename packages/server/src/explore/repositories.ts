// The catalogue of repositories: search, order, removable filters, a table, and facets with exact counts.
import { listRepositories } from '@commonhall/contract/repositories';
import type { Data } from './calls.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import { placeOf } from './pager.ts';
import type { Designed } from './parts.ts';
import { facet, linkTo, paged } from './parts.ts';
import { counted, day, label, name, notGiven, number, word } from './words.ts';

const filterNames = { category: 'Category', ecosystem: 'Ecosystem', platform: 'Platform', status: 'Status' };
type Filter = keyof typeof filterNames;

type Item = Data<'listRepositories'>['items'][number];
const table = (items: readonly Item[]): Html =>
  html`<table class="records"><thead>
    <tr><th scope="col">Repository</th><th scope="col">Category</th><th scope="col">Ecosystem</th><th scope="col">Status</th><th scope="col" class="n">People</th><th scope="col">Last push</th></tr></thead>
    <tbody>${items.map(
      (one) =>
        html`<tr><th scope="row"><a href="${linkTo('getRepository', { platform: one.platform, platformId: one.platformId })}">${name(`${one.owner}/${one.name}`)}</a>${one.description !== null && html`<p class="clamp soft small" dir="auto">${one.description}</p>`}</th><td>${one.category === null ? notGiven : name(word(one.category))}</td><td>${one.ecosystem === null ? notGiven : name(word(one.ecosystem))}</td><td>${word(one.status)}</td><td class="n" data-label="People">${number(one.contributorsCount)}</td><td data-label="Last push">${day(one.platformPushedAt)}</td></tr>`,
    )}</tbody></table>`;

const list: Designed<'listRepositories'> = {
  view: async (context) => {
    const { args, data, call } = context;
    const { page: _, pageSize, q, sortBy, sortOrder, from, to, ...filters } = args;
    const counts = await call('countRepositories', { ...filters, by: Object.keys(filterNames).join() });
    const { page: __, ...whole } = args;
    const without = (key: string) =>
      Object.fromEntries(Object.entries(whole).filter(([name]) => name !== key)) as typeof whole;
    const takes = (key: Filter, value: string | undefined) => {
      const { enum: words } = listRepositories.query[key] as { enum?: readonly string[] };
      return value === undefined || words === undefined || words.includes(value);
    };
    const hrefOf = (key: Filter) => (value: string | undefined) =>
      takes(key, value)
        ? linkTo('listRepositories', value === undefined ? without(key) : ({ ...whole, [key]: value } as typeof whole))
        : null;
    const chips = Object.entries({ ...(q === undefined ? {} : { q }), ...filters });
    const orders = ['createdAt', 'updatedAt', 'name', 'owner'] as const;
    return {
      title: 'Repositories',
      description: 'The code that the community builds on.',
      current: 'repositories',
      lede: 'The code that the community builds on.',
      isIndexed: q === undefined && Object.keys(filters).length <= 1 && data.items.length > 0,
      canonical: linkTo('listRepositories', args),
      main: html`<form action="${linkTo('listRepositories', {})}" role="search">
        <label>Search by owner or name<input type="search" name="q" value="${q ?? ''}"></label>
        <label>Sort by<select name="sortBy">${orders.map((one) => html`<option value="${one === 'createdAt' ? '' : one}"${one === sortBy && html` selected`}>${label(one)}</option>`)}</select></label>${Object.entries(filters).map(([key, value]) => html`<input type="hidden" name="${key}" value="${String(value)}">`)}<button>Show</button></form>${chips.length > 0 && html`<p class="row small"><span class="soft">${counted(chips.length, 'filter')}:</span>${chips.map(([key, value]) => html`<a class="tag on" href="${linkTo('listRepositories', without(key))}">${label(key)}: ${name(String(value))} ×<span class="vh"> remove</span></a>`)}</p>`}
        <div class="cols"><section><div class="bar-head"><h2>${placeOf(data, 'repository', 'repositories')}</h2>
        <p><a class="jump" href="#filters">Filters</a></p></div>
        ${paged('listRepositories', context, 'repositories', () => table(data.items))}</section>
        <div class="stack facets" id="filters">${(Object.keys(filterNames) as Filter[]).map((key) => facet(filterNames[key], counts.groups.find(({ by }) => by === key)?.values ?? [], filters[key], hrefOf(key)))}</div></div>`,
    };
  },
};

export const repositoryPages = { listRepositories: list };
