// The catalogue of repositories: search, order, removable filters, a table, and facets with exact counts.
import type { Data } from './calls.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import { placeOf } from './pager.ts';
import type { Designed } from './parts.ts';
import { isListed, linkTo, paged, panels, searchForm } from './parts.ts';
import { counted, day, label, name, notGiven, number, word } from './words.ts';

const filterNames = { category: 'Category', ecosystem: 'Ecosystem', platform: 'Platform', status: 'Status' };

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
    const chips = Object.entries({ ...(q === undefined ? {} : { q }), ...filters });
    const orders = ['createdAt', 'updatedAt', 'name', 'owner'] as const;
    return {
      title: 'Repositories',
      description: 'The code that the community builds on.',
      current: 'repositories',
      lede: 'The code that the community builds on.',
      isIndexed: isListed(q, filters, data),
      canonical: linkTo('listRepositories', args),
      main: html`${searchForm(linkTo('listRepositories', {}), 'Search by owner or name', q, filters, html`<label>Sort by<select name="sortBy">${orders.map((one) => html`<option value="${one === 'createdAt' ? '' : one}"${one === sortBy && html` selected`}>${label(one)}</option>`)}</select></label>`)}${chips.length > 0 && html`<p class="row small"><span class="soft">${counted(chips.length, 'filter')}:</span>${chips.map(([key, value]) => html`<a class="tag on" href="${linkTo('listRepositories', without(key))}">${label(key)}: ${name(String(value))} ×<span class="vh"> remove</span></a>`)}</p>`}
        <div class="cols"><section><div class="bar-head"><h2>${placeOf(data, 'repository', 'repositories')}</h2>
        <p><a class="jump" href="#filters">Filters</a></p></div>
        ${paged('listRepositories', context, 'repositories', () => table(data.items))}</section>
        <div class="stack facets" id="filters">${panels('listRepositories', args, counts, filterNames)}</div></div>`,
    };
  },
};

export const repositoryPages = { listRepositories: list };
