// Builds the pages under /docs from the Markdown of the repository, with marked: HTML, one style sheet, one script and one
// index for the search. The server serves the files as they are.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Tokens } from 'marked';
import { Marked } from 'marked';
import { escapeHtml, pageOf, palette } from '../packages/server/src/site/page.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The pages of each group of readers, as files of the repository. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: ['README.md', 'docs/demo.md', 'docs/comparison.md', 'docs/glossary.md'],
  Callers: ['docs/calling.md', 'docs/changes.md', 'docs/specification.md'],
  Platforms: ['docs/loading-data.md', 'docs/fields.md', 'examples/platform/README.md'],
  Operators: [
    'docs/operating.md',
    'docs/settings.md',
    'docs/caching.md',
    'docs/alerts.md',
    'docs/scale.md',
    'docs/reliability.md',
    'docs/support.md',
    'SECURITY.md',
  ],
  Contributors: [
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'docs/design.md',
    'docs/gaps.md',
    'docs/maintaining.md',
    'CHANGELOG.md',
    'CODE_OF_CONDUCT.md',
  ],
  Decisions: globSync('docs/decisions/*.md', { cwd: root }).sort(),
};

/** The path of a page under /docs: docs/calling.md is calling, README.md is readme. */
const pathOf = (file: string): string =>
  file.startsWith('examples/')
    ? basename(dirname(file))
    : file
        .replace(/^docs\//, '')
        .replace(/\.md$/, '')
        .toLowerCase();

export interface Heading {
  depth: number;
  text: string;
  id: string;
}
interface Page {
  file: string;
  path: string;
  title: string;
  /** The first sentence: what the page is for. */
  purpose: string;
  headings: Heading[];
  body: string;
  /** What the search finds: the text under each heading. */
  sections: { id: string; heading: string; text: string }[];
}

/** The plain text of some inline Markdown. */
const plainText = (markdown: string): string =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** As the usual hosting makes anchors of headings, so that a link works there and here. */
export const headingsOf = (markdown: string): Heading[] => {
  const seen = new Map<string, number>();
  return markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n')
    .flatMap((line) => {
      const [, marks, raw] = /^(#{1,6}) (.*)$/.exec(line) ?? [];
      if (marks === undefined || raw === undefined) return [];
      const text = plainText(raw);
      const slug = text
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-');
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return [{ depth: marks.length, text, id: count === 0 ? slug : `${slug}-${count}` }];
    });
};

const files = Object.values(groups)
  .flat()
  .filter((file) => existsSync(join(root, file)));
const pathByFile = new Map(files.map((file) => [file, pathOf(file)]));

/** From a page to a path under /docs, as a relative URL: a proxy may serve all of it under another prefix. */
const urlFrom = (from: string, to: string): string => {
  if (from === '') return to === '' ? 'docs' : `docs/${to}`;
  return to === '' ? `${'../'.repeat(from.split('/').length)}docs` : '../'.repeat(from.split('/').length - 1) + to;
};

/** Pictures that the pages show: served beside them. */
const pictures = new Map<string, string>();

const rendererOf = (file: string, headings: readonly Heading[]): Marked => {
  const from = pathOf(file);
  const queue = [...headings];
  const targetOf = (href: string): string => relative(root, join(root, dirname(file), href));
  const link = (href: string): string | null => {
    if (/^(https?:|mailto:|#)/.test(href)) return href;
    const [path = '', hash] = href.split('#');
    const page = pathByFile.get(targetOf(path));
    // A file of the repository that is no page: there is no address for it here.
    return page === undefined ? null : urlFrom(from, page) + (hash === undefined ? '' : `#${hash}`);
  };
  const picture = (href: string): string => {
    const source = targetOf(href);
    if (!existsSync(join(root, source))) throw new Error(`${file} shows ${href}, which does not exist`);
    pictures.set(basename(source), source);
    return urlFrom(from, basename(source));
  };
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const { id } = queue.shift()!;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const target = link(href);
        const text = this.parser.parseInline(tokens);
        return target === null ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escapeHtml(picture(href))}" alt="${escapeHtml(text)}">`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        if (text.startsWith('<!--')) return '';
        return text.replace(
          /\b(src|srcset)="([^"]+)"/g,
          (_, name: string, href: string) => `${name}="${picture(href)}"`,
        );
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const rows = token.rows.map((cells) => row(cells, 'td')).join('\n');
        // Wide tables scroll by themselves, also by keyboard.
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>\n${rows}\n</tbody></table></div>\n`;
      },
      code({ text, lang }: Tokens.Code) {
        return `<pre tabindex="0"><code${lang === undefined ? '' : ` class="${escapeHtml(lang)}"`}>${escapeHtml(text)}</code></pre>\n`;
      },
    },
  });
  return marked;
};

const readPage = (file: string): Page => {
  const markdown = readFileSync(join(root, file), 'utf8').replaceAll('\r', '');
  const headings = headingsOf(markdown);
  const [title, ...rest] = headings;
  if (title === undefined || title.depth !== 1) throw new Error(`${file} has no title`);
  const texts = markdown.split(/^#{1,6} .*$/m).slice(1);
  return {
    file,
    path: pathOf(file),
    title: title.text,
    purpose: /^.*?[.](?= |$)/.exec(plainText(texts[0]!.trim().split(/\n\n/)[0]!))?.[0] ?? '',
    headings: rest,
    body: rendererOf(file, headings).parse(markdown) as string,
    sections: headings.map(({ id, text }, index) => ({ id, heading: text, text: plainText(texts[index] ?? '') })),
  };
};

const navOf = (pages: readonly Page[], current: Page | null): string => {
  const from = current?.path ?? '';
  const outline = ({ headings }: Page): string =>
    `<ul>${headings
      .filter(({ depth }) => depth === 2)
      .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
      .join('')}</ul>`;
  const item = (page: Page): string =>
    page === current
      ? `<li><a href="${urlFrom(from, page.path)}" aria-current="page">${escapeHtml(page.title)}</a>${outline(page)}</li>`
      : `<li><a href="${urlFrom(from, page.path)}">${escapeHtml(page.title)}</a></li>`;
  const reference = `<li><a href="${urlFrom(from, 'reference')}">Reference</a></li>`;
  return Object.entries(groups)
    .map(([group, own]) => {
      const items = pages.filter(({ file }) => own.includes(file)).map(item);
      return `<h2>${group}</h2>\n<ul>${items.join('')}${group === 'Callers' ? reference : ''}</ul>`;
    })
    .join('\n');
};

const layout = (pages: readonly Page[], current: Page | null, title: string, body: string): string => {
  const to = (path: string) => urlFrom(current?.path ?? '', path);
  return pageOf({
    title: `${title} - Commonhall`,
    head: `<link rel="stylesheet" href="${to('docs.css')}">\n<script src="${to('search.js')}" data-index="${to('search.json')}" data-root="${to('')}" defer></script>`,
    body: `<header><a class="home" href="${to('')}">Commonhall docs</a>
<form role="search" hidden><label for="site-search">Search</label> <input id="site-search" type="search" placeholder="Search" autocomplete="off"></form>
<a class="menu" href="#site-pages">Menu</a></header>
<div id="site-results" role="region" aria-label="Search results" aria-live="polite" hidden></div>
<main>
${body}
</main>
<nav id="site-pages" aria-label="Pages">
${navOf(pages, current)}
</nav>`,
  });
};

const indexBody = (pages: readonly Page[]): string =>
  `<h1>Documentation</h1>
<p>Every page by its reader. The <a href="docs/reference">reference</a> shows every operation, to read and to try.</p>
${Object.entries(groups)
  .map(([group, own]) => {
    const rows = pages
      .filter(({ file }) => own.includes(file))
      .map(
        ({ path, title, purpose }) =>
          `<dt><a href="docs/${path}">${escapeHtml(title)}</a></dt><dd>${escapeHtml(purpose)}</dd>`,
      );
    return `<h2 id="${group.toLowerCase()}">${group}</h2>\n<dl>\n${rows.join('\n')}\n</dl>`;
  })
  .join('\n')}`;

export interface DocFile {
  /** Under /docs; the index has none. */
  path: string;
  type: string;
  bytes: Buffer;
}
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
};

/** Every file of the documentation. */
export const renderDocs = (): DocFile[] => {
  const pages = files.map(readPage);
  const own = (name: string) => readFileSync(join(import.meta.dirname, name));
  const index = pages.flatMap(({ path, title, sections }) =>
    sections.map(({ id, heading, text }) => [path, title, id, heading, text]),
  );
  const file = (path: string, ending: string, content: string | Buffer): DocFile => ({
    path,
    type: types[ending]!,
    bytes: Buffer.from(content),
  });
  return [
    file('', 'html', layout(pages, null, 'Documentation', indexBody(pages))),
    ...pages.map((page) => file(page.path, 'html', layout(pages, page, page.title, page.body))),
    file('docs.css', 'css', `${palette}${own('docs.css')}`),
    file('search.js', 'js', own('search.js')),
    file('search.json', 'json', JSON.stringify(index)),
    ...[...pictures].map(([name, source]) => file(name, name.split('.').at(-1)!, readFileSync(join(root, source)))),
  ];
};
