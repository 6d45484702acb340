// Texts that people wrote: plain text with its line breaks, Markdown where the contract says so, and links.
import MarkdownIt from 'markdown-it';
import { Html, html } from './html.ts';
import { name } from './words.ts';

/** A link of a member: only http and https, without user info; anything else is shown as text. */
export const safeUrl = (url: string): string | null => {
  if (!/^https?:\/\//i.test(url)) return null;
  const parsed = URL.parse(url);
  return parsed === null || parsed.username !== '' || parsed.password !== '' ? null : parsed.href;
};
const mostLabel = 90;
const shortened = (text: string): string =>
  text.length <= mostLabel ? text : `${text.slice(0, mostLabel - 31)}…${text.slice(-30)}`;
export const outwards = (url: string, label = url.replace(/^https?:\/\/(www\.)?|\/$/gi, '')): Html => {
  const href = safeUrl(url);
  if (href === null) return name(shortened(url));
  return html`<a href="${href}" rel="nofollow ugc noopener">${name(shortened(label))}</a>`;
};

/** Characters that are shown before the rest, and above which Markdown is shown as it was written. */
const shownAtOnce = 1500;
const mostMarkdown = 20_000;

const markdown = new MarkdownIt({ html: false, linkify: false, breaks: false, maxNesting: 20 });
markdown.validateLink = (url) => safeUrl(url) !== null;
markdown.renderer.rules.link_open = (tokens, at, options, _, self) => {
  tokens[at]!.attrSet('rel', 'nofollow ugc noopener');
  return self.renderToken(tokens, at, options);
};
// A picture would be loaded from any host: its address is a link.
markdown.renderer.rules.image = (tokens, at) => {
  const { content, attrs } = tokens[at]!;
  const source = attrs?.find(([key]) => key === 'src')?.[1] ?? '';
  return outwards(String(source), content || String(source)).text;
};
/** The page has h1 and h2: the highest heading of a text becomes h3, so that none is skipped. */
const rendered = (text: string): string => {
  const tokens = markdown.parse(text, {});
  const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close');
  const highest = Math.min(...headings.map(({ tag }) => Number(tag.slice(1))));
  for (const token of headings) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) - highest + 3)}`;
  return markdown.renderer.render(tokens, markdown.options, {});
};

const plainText = (text: string): Html => html`<div class="text" dir="auto">${text}</div>`;
/** A text in the length that a page shows; the rest can be opened. */
export const longText = (text: string, isMarkdown = false): Html => {
  if (text.trim() === '') return html`<p class="none">No text.</p>`;
  if (isMarkdown && text.length <= mostMarkdown)
    return html`<div class="text md" dir="auto">${new Html(rendered(text))}</div>`;
  if (text.length <= shownAtOnce) return plainText(text);
  const [begin, all] = [text.slice(0, shownAtOnce).toWellFormed(), text.length.toLocaleString('en')];
  return html`${plainText(`${begin}…`)}<details><summary>Show all ${all} characters</summary>${plainText(text)}</details>`;
};
