// The page at /: what the API is, three requests to copy, and links. One HTML text with inline style.
import { hash } from 'node:crypto';
import { operations } from '@commonhall/contract';
import { info, tags } from '@commonhall/contract/openapi-texts';
import type { Operation } from '@commonhall/contract/operation';
import { sitePaths } from '@commonhall/contract/site';
import { urlOf } from '@commonhall/contract/url';
import { version } from '@commonhall/contract/version';
import type { ApiFailure } from '../http/errors.ts';
import { failureBody } from '../http/errors.ts';
import { parseQuery } from '../http/query.ts';
import { escapeHtml, pageOf, palette } from './page.ts';

const style = `${palette}* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
header, main, footer { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: clamp(2rem, 8vw, 4.5rem); }
h1 { margin: 0; font-size: clamp(2rem, 6vw, 2.75rem); line-height: 1.15; letter-spacing: -0.02em; }
h2 { margin: 2.75rem 0 0.75rem; font-size: 1.2rem; line-height: 1.3; }
p { margin: 0 0 0.75rem; }
.summary { margin: 0.75rem 0 0; color: var(--soft); font-size: 1.15rem; }
a { color: var(--link); text-underline-offset: 0.2em; }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: 2px; }
code, pre { font-family: ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace; font-size: 0.875rem; }
pre { margin: 0 0 1.25rem; padding: 0.75rem 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  white-space: pre-wrap; overflow-wrap: anywhere; }
pre.answer { margin-top: -0.75rem; background: none; border-style: dashed; color: var(--soft); }
dl { margin: 0; }
dl > div { display: grid; grid-template-columns: 9rem 1fr; gap: 0 1rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
dl > div:last-child { border-bottom: 1px solid var(--line); }
dt { font-weight: 600; overflow-wrap: anywhere; }
dd { margin: 0; color: var(--soft); }
footer { padding-top: 2.5rem; padding-bottom: 3rem; color: var(--soft); font-size: 0.9rem; }
@media (max-width: 34rem) { dl > div { grid-template-columns: 1fr; } }
`;

/** The browser accepts this style and no other. */
export const stylePolicy = `'sha256-${hash('sha256', style, 'base64')}'`;

const all = Object.values<Operation>(operations).filter(({ auth }) => auth === 'none');
const list = all.find(({ answer, params }) => answer === 'page' && Object.keys(params).length === 0);
const one = all.find(({ answer, params }) => answer === 'one' && Object.keys(params).length > 0);

/** The server's answer to an invalid query. */
const refusalOf = (operation: Operation, query: string): string => {
  try {
    parseQuery(operation.query, query);
  } catch (error) {
    return failureBody(error as ApiFailure);
  }
  throw new Error(`${operation.id} takes ${query}`);
};

/** Long URLs wrap between their parts, and are copied as a whole. */
const breakable = (url: string): string => escapeHtml(url).replace(/(?<=[^/:])(?=[/?]|&amp;)/g, '<wbr>');
const curl = (url: string): string => `<pre><code>curl '${breakable(url)}'</code></pre>`;

const requests = (apiUrl: string): string => {
  if (list === undefined || one === undefined) return '';
  const wrong = '?limit=5';
  return `<h2 id="try">Try it</h2>
<p>${escapeHtml(list.summary)}:</p>
${curl(urlOf(apiUrl, list.id, list.example))}
<p>${escapeHtml(one.summary)}. This one is from the sample data; take yours from the list:</p>
${curl(urlOf(apiUrl, one.id, one.example))}
<p>A request that is wrong on purpose, and its answer:</p>
${curl(urlOf(apiUrl, list.id, {}) + wrong)}
<pre class="answer"><code>${escapeHtml(refusalOf(list, wrong))}</code></pre>`;
};

const row = (term: string, text: string): string => `<div><dt>${term}</dt><dd>${text}</dd></div>`;

/** What each path is for. */
const meanings: Readonly<Record<keyof typeof sitePaths, readonly [name: string, text: string]>> = {
  explore: ['Explore', 'What is in it, as pages for people.'],
  docs: ['Documentation', 'How to call it, feed it, run it and change it.'],
  reference: ['Reference', 'Every operation, parameter and value, to read and to try in the browser.'],
  openapi: ['OpenAPI', 'The same for programs and generators.'],
  index: ['index.json', 'The links of this page for programs.'],
  llms: ['llms.txt', 'The same for language models, in one short text.'],
  status: ['Status', 'The version of the server, and how old its data is.'],
  mcp: ['MCP', 'The operations as tools for agents.'],
};

/** A browser can open all of them but the MCP endpoint: its URL is shown to be copied. */
const linkRows = (rootUrl: string, hasExplorer: boolean): string[] =>
  Object.entries(sitePaths)
    .filter(([key]) => hasExplorer || key !== 'explore')
    .map(([key, path]) => {
      const [name, text] = meanings[key as keyof typeof sitePaths];
      if (path === sitePaths.mcp)
        return row(name, `${text} Give a client this address: <code>${breakable(rootUrl + path)}</code>`);
      return row(`<a href="${escapeHtml(rootUrl + path)}">${name}</a>`, text);
    });

export const homePage = (rootUrl: string, apiUrl: string, community: string, hasExplorer: boolean): string => {
  const parts = Object.entries(tags).filter(([tag]) => all.some((operation) => operation.tag === tag));
  return pageOf({
    title: `${community}: ${info.summary.toLowerCase().replace(/\.$/, '')}`,
    head: `<meta name="description" content="${escapeHtml(info.summary)}">\n<style>${style}</style>`,
    body: `<header>
<h1>${escapeHtml(community)}</h1>
<p class="summary">${escapeHtml(info.summary)} GET only, JSON, one envelope, exact totals on every page.</p>
${hasExplorer ? `<p class="summary"><a href="${escapeHtml(rootUrl + sitePaths.explore)}">Look around</a>: launches, bounties, badges, people and code, as pages.</p>\n` : ''}</header>
<main>
${requests(apiUrl)}
<h2 id="more">More</h2>
<dl>
${linkRows(rootUrl, hasExplorer).join('\n')}
</dl>
<h2 id="parts">What is in it</h2>
<dl>
${parts.map(([tag, text]) => row(tag, escapeHtml(text))).join('\n')}
</dl>
</main>
<footer>
<p>${info.title} ${version}, ${info.license.name}.</p>
</footer>`,
  });
};
