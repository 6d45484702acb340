// The frame of every page: head, bar, breadcrumb, request line, footer.
import { info } from '@commonhall/contract/openapi-texts';
import { sitePaths } from '@commonhall/contract/site';
import { version } from '@commonhall/contract/version';
import { icon } from '../site/page.ts';
import type { Call } from './calls.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import { requestLine } from './request-line.ts';
import { name } from './words.ts';

/** What all pages of a server share. */
export interface Site {
  community: { name: string; url: string; logo: string };
  rootUrl: string;
  apiUrl: string;
  /** The path of the stylesheet. */
  style: string;
  /** The parts of the bar that have rows. */
  nouns: readonly Noun[];
}
export type Noun = keyof typeof nouns;
export const nouns = {
  launches: 'Launches',
  bounties: 'Bounties',
  contests: 'Contests',
  collections: 'Badges',
  repositories: 'Repositories',
  agents: 'Agents',
} as const;

export const feedPath = (noun: Noun): string => `${sitePaths.explore}/${noun}.atom`;

/** A page as its maker describes it. */
export interface View {
  title: string;
  description: string;
  current?: Noun | 'operations' | 'search';
  crumbs?: readonly (readonly [text: string, href: string])[];
  /** In place of the plain heading: picture, name, tags. */
  hero?: Html;
  /** The sentence below the heading. */
  lede?: Html | string;
  main: Html;
  /** Whether search engines may list it. */
  isIndexed?: boolean;
  /** The address without defaults; null: none. */
  canonical?: string | null;
  /** A picture that is allowed, for previews. */
  image?: string | null;
  /** The list that the page has a feed of. */
  feed?: Noun;
}

const mark = html`<svg viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="3" fill="#205f4b"/><path d="M3 13V7l5-4 5 4v6h-3V9H6v4z" fill="#fff"/></svg>`;

const mostDescription = 160;
const head = (site: Site, view: View, calls: readonly Call[]): Html => {
  const description = view.description.replace(/\s+/g, ' ').trim().slice(0, mostDescription).toWellFormed();
  const { community } = site;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${view.title} · ${community.name}</title>
<meta name="description" content="${description}">
${view.isIndexed !== true && html`<meta name="robots" content="noindex">`}
${view.isIndexed === true && view.canonical != null && html`<link rel="canonical" href="${site.rootUrl}${view.canonical}">`}
<meta property="og:title" content="${view.title}"><meta property="og:description" content="${description}"><meta property="og:type" content="website"><meta property="og:site_name" content="${community.name}">${view.image != null && html`<meta property="og:image" content="${view.image}">`}
${calls[0] !== undefined && html`<link rel="alternate" type="application/json" href="${site.apiUrl}${calls[0].path}">`}
${view.feed !== undefined && html`<link rel="alternate" type="application/atom+xml" href="${feedPath(view.feed)}">`}
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${site.style}">`;
};

const bar = ({ community, nouns: shown }: Site, current: View['current']): Html => {
  const item = (key: string, text: string) =>
    html`<li><a href="${sitePaths.explore}/${key}"${key === current && html` aria-current="true"`}>${text}</a></li>`;
  const logo = community.logo === '' ? mark : html`<img src="${community.logo}" alt="" width="20" height="20">`;
  return html`<header class="top">
    <div class="wrap"><a class="brand" href="${sitePaths.explore}">${logo}${name(community.name)}</a>
    <nav aria-label="Main">
    <ul>${shown.map((key) => item(key, nouns[key]))}${item('search', 'Search')}${item('operations', 'API')}</ul></nav></div></header>`;
};

const footer = ({ community, rootUrl }: Site): Html =>
  html`<footer><div class="wrap">
    <p>${community.url !== '' && html`<a href="${community.url}">${name(community.name)}</a> · `}${info.title} ${version}, ${info.license.name}. Read-only, and nothing here needs a script.</p><a href="${rootUrl}${sitePaths.docs}">Documentation</a><a href="${rootUrl}${sitePaths.reference}">Reference</a><a href="${rootUrl}${sitePaths.openapi}">OpenAPI</a><a href="${rootUrl}${sitePaths.status}">Status</a></div></footer>`;

export const framed = (site: Site, view: View, calls: readonly Call[]): string => {
  const { title, crumbs = [], hero, lede, current } = view;
  return html`<!doctype html>
<html lang="en">
<head>
${head(site, view, calls)}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${bar(site, current)}
<main id="main" class="wrap"><div class="head">${
    crumbs.length > 0 &&
    html`<nav aria-label="Breadcrumb">
  <ol class="crumbs">${crumbs.map(([text, href]) => html`<li><a href="${href}">${name(text)}</a></li>`)}</ol></nav>`
  }${hero ?? html`<h1>${name(title)}</h1>`}${lede !== undefined && html`<p class="lede">${lede}</p>`}${requestLine(calls, site.rootUrl, site.apiUrl)}</div>
${view.main}</main>
${footer(site)}
</body>
</html>
`.text;
};
