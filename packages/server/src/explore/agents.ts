// Pages of agents: cards with their online state, and one agent with its services and registration file.
import type { Data } from './calls.ts';
import type { Html, HtmlValue } from './html.ts';
import { html } from './html.ts';
import { placeOf } from './pager.ts';
import type { Designed } from './parts.ts';
import { facts, linkTo, paged, panels, searchForm, section, who } from './parts.ts';
import type { Pictures } from './pictures.ts';
import { longText, outwards } from './text.ts';
import { day, moment, name, number, word } from './words.ts';

type Agent = Data<'getAgent'>;
const state = ({ online }: Agent): Html =>
  html`<span class="dot${online && ' on'}">${online ? 'Online' : 'Offline'}</span>`;
const cards = ({ picture }: Pictures, items: readonly Agent[]): Html =>
  html`<ul class="cards">${items.map(
    (one) =>
      html`<li class="card"><div class="row">${picture(one.avatar?.sm ?? null, one.displayName)}<div>
        <h3><a href="${linkTo('getAgent', { name: one.name })}">${name(one.displayName)}</a></h3>
        <p class="small">${state(one)}${one.category !== null && html` · <span class="soft">${name(word(one.category))}</span>`}</p></div></div>
        <p class="clamp soft" dir="auto">${one.bio}</p>${one.tags.length > 0 && html`<p class="tags">${one.tags.slice(0, 4).map((tag) => html`<span class="tag">${name(tag)}</span>`)}</p>`}</li>`,
  )}</ul>`;

const list: Designed<'listAgents'> = {
  view: async (context) => {
    const { args, data, call, pictures } = context;
    const { q, category } = args;
    const counts = await call('countAgents', { by: 'category' });
    return {
      title: 'Agents',
      description: 'Agents of the community and what they do.',
      current: 'agents',
      lede: 'Programs that act for people, with what they offer and where they are registered.',
      isIndexed: q === undefined && data.items.length > 0,
      canonical: linkTo('listAgents', args),
      main: html`${searchForm(linkTo('listAgents', {}), 'Search agents', q, category === undefined ? {} : { category })}
        <div class="cols"><section><div class="bar-head"><h2>${placeOf(data, 'agent')}</h2>
        <p><a class="jump" href="#filters">Filters</a></p></div>
        ${paged('listAgents', context, 'agents', () => cards(pictures, data.items))}</section>
        <div class="stack facets" id="filters">
        ${panels('listAgents', args, counts, { category: 'Category' })}</div></div>`,
    };
  },
};

const words = (values: readonly string[]): HtmlValue =>
  values.length === 0
    ? undefined
    : html`<span class="tags">${values.map((one) => html`<code class="tag">${one}</code>`)}</span>`;

const one: Designed<'getAgent'> = {
  view: async ({ data, call, pictures }) => {
    const metadata = await call('getAgentMetadata', { name: data.name });
    const raw = data.metadataUrl.replace(/\/metadata$/, '/agent-registration.json');
    const services = metadata.services.map(
      (service) =>
        html`<article class="card"><div class="row">
          <h3>${name(service.name)}</h3>${service.version !== null && html`<span class="tag">${name(service.version)}</span>`}</div>
          <p class="mono">${outwards(service.endpoint, service.endpoint)}</p>${service.description !== null && html`<p dir="auto">${service.description}</p>`}
          ${facts([
            ['Capabilities', words(service.capabilities)],
            ['Tools', words(service.mcpTools)],
            ['Resources', words(service.mcpResources)],
            ['Prompts', words(service.mcpPrompts)],
            ['Skills', words(service.skills)],
            ['A2A skills', words(service.a2aSkills)],
            ['Domains', words(service.domains)],
          ])}</article>`,
    );
    return {
      title: data.displayName,
      description: data.bio,
      current: 'agents',
      crumbs: [
        ['Agents', linkTo('listAgents', {})],
        ...(data.category === null
          ? []
          : [[data.category, linkTo('listAgents', { category: data.category })] as const]),
      ],
      hero: html`<div class="hero">${pictures.picture(data.avatar?.lg ?? null, data.displayName, 'l', 512)}<div>
        <h1>${name(data.displayName)}</h1>
        <p class="row">${state(data)}<span class="soft">last seen ${data.lastSeenAt === null ? 'never' : moment(data.lastSeenAt)}</span></p>
        <p class="tags">${data.tags.map((tag) => html`<span class="tag">${name(tag)}</span>`)}</p></div></div>`,
      isIndexed: true,
      canonical: linkTo('getAgent', { name: data.name }),
      image: pictures.allowed(data.avatar?.lg ?? null),
      main: html`<div class="cols"><div class="stack">${section('What it does', null, longText(data.bio))}
        ${section('Services', html`<p class="soft">${number(services.length)}</p>`, services.length === 0 ? html`<p class="none">none</p>` : services)}
        ${section(
          'Registration file',
          html`<a href="${raw}">Raw file</a>`,
          html`<p class="soft">The document that an ERC-8004 identity registry points to, indented for reading. The raw file leaves nulls out.</p><pre class="file" tabindex="0" role="region" aria-label="Registration file"><code>${JSON.stringify(metadata, null, 2)}</code></pre>`,
        )}</div><div class="stack">${section(
          'Facts',
          null,
          facts([
            ['Owner', who(pictures, data.owner)],
            ['Name', html`<code>${data.name}</code>`],
            ['Category', data.category],
            ['Version', data.version],
            ['Website', data.websiteUrl === null ? null : outwards(data.websiteUrl)],
            ['Active', data.active ? 'Yes' : 'No'],
            ['Payments (x402)', data.x402Support ? 'Supported' : 'Not supported'],
            ['Trust', data.supportedTrust.length === 0 ? undefined : data.supportedTrust.join(', ')],
            ['Published', day(data.publishedAt)],
            ['Changed', day(data.updatedAt)],
          ]),
        )}${data.registrations.length > 0 && section('Registrations', null, html`<ul class="list">${data.registrations.map(({ agentId, agentRegistry }) => html`<li><span>Agent <b class="n">${number(agentId)}</b></span><code class="soft">${agentRegistry}</code></li>`)}</ul>`)}${data.socialAccounts.length > 0 && section('Elsewhere', null, html`<ul class="list">${data.socialAccounts.map((account) => html`<li>${outwards(account.url, account.username)}<span class="small soft">${word(account.platform)}${account.verified && ', verified'}</span></li>`)}</ul>`)}</div></div>`,
    };
  },
};

export const agentPages = { listAgents: list, getAgent: one };
