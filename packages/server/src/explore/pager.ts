// Pages of a list: where the reader is, the neighbours, and any page by its number. Also what is shown without items.
import type { Html } from './html.ts';
import { html } from './html.ts';
import { counted, number } from './words.ts';

export interface PageData {
  items: readonly unknown[];
  total: number;
  page: number;
  pageSize: number;
  totalPages: number;
}

/** 21–40 of 300 launches. */
export const placeOf = ({ items, total, page, pageSize }: PageData, one: string, many = `${one}s`): string => {
  if (items.length === 0) return counted(total, one, many);
  const first = (page - 1) * pageSize + 1;
  return `${number(first)}–${number(first + items.length - 1)} of ${counted(total, one, many)}`;
};

/** `link`: the address of a page. */
export const pager = ({ page, totalPages, items }: PageData, link: (page: number) => string): Html => {
  if (totalPages <= 1 && items.length > 0) return html``;
  const to = (at: number, text: string, rel?: string): Html =>
    at < 1 || at > totalPages || at === page
      ? html`<li><span>${text}</span></li>`
      : html`<li><a href="${link(at)}"${rel !== undefined && html` rel="${rel}"`}>${text}</a></li>`;
  const [action, query] = link(1).split('?', 2);
  return html`<nav class="pages" aria-label="Pages">
    <ul>${to(1, 'First')}${to(page - 1, '← Previous', 'prev')}${to(page + 1, 'Next →', 'next')}${to(totalPages, `Last: ${number(totalPages)}`)}</ul>
    <form action="${action}">
    <label>Page, of ${number(totalPages)}<input class="page" name="page" inputmode="numeric" pattern="[1-9][0-9]*" value="${page}"></label>${[...new URLSearchParams(query)].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button>Go</button></form></nav>`;
};

/** A list without items: none at all, none that match, or a page past the end. */
export const emptyList = (
  { total, page, totalPages }: PageData,
  what: string,
  link: (page: number) => string,
  clear: string | null,
): Html => {
  if (total > 0)
    return html`<div class="empty">
      <p>There is no page ${number(page)}: ${what} end at page ${number(totalPages)}.</p>
      <p><a href="${link(totalPages)}">To the last page</a></p></div>`;
  return clear === null
    ? html`<div class="empty"><p>There are no ${what} yet.</p></div>`
    : html`<div class="empty"><p>No ${what} match.</p><p><a href="${clear}">Show all ${what}</a></p></div>`;
};
