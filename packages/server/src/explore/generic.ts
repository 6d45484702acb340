// The page of any operation: its texts, a form from its schemas, and the answer as nested fields.
import type { Operation } from '@commonhall/contract/operation';
import { keyNote } from '@commonhall/contract/operation';
import type { TSchema } from '@commonhall/contract/shared';
import { sitePaths } from '@commonhall/contract/site';
import { isInstant } from '@commonhall/contract/text';
import type { AnyArgs, Call } from './calls.ts';
import type { View } from './frame.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import type { PageData } from './pager.ts';
import { emptyList, pager, placeOf } from './pager.ts';
import { longText, outwards } from './text.ts';
import { label, moment, name, notGiven, number } from './words.ts';

interface FieldSchema {
  type?: string;
  enum?: string[];
  default?: unknown;
  description?: string;
}

const field = (key: string, schema: FieldSchema, value: string): Html => {
  const title = key === 'q' ? 'Search' : label(key);
  const options = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : null);
  const byDefault = schema.default === undefined ? '' : String(schema.default);
  if (options !== null)
    return html`<label>${title}<select name="${key}"><option value="">${byDefault === '' ? 'any' : `${byDefault} (default)`}</option>${options.map((one) => html`<option${one === value && html` selected`}>${one}</option>`)}</select></label>`;
  const kind = key === 'q' ? html`type="search"` : html`class="word"`;
  return html`<label>${title}<input ${kind} name="${key}" value="${value}"${byDefault !== '' && html` placeholder="${byDefault}"`}></label>`;
};
const form = (operation: Operation, action: string, args: AnyArgs): Html => {
  const keys = Object.entries(operation.query);
  if (keys.length === 0) return html``;
  return html`<form action="${action}">${keys.map(([key, schema]) => field(key, schema as FieldSchema, String(args[key] ?? '')))}<button>Show</button></form>`;
};

/** The schema of a key, also inside `T or null` and of items. */
const inside = (schema: TSchema | undefined, key: string | number): TSchema | undefined => {
  const { anyOf, items, properties } = (schema ?? {}) as {
    anyOf?: TSchema[];
    items?: TSchema;
    properties?: Record<string, TSchema>;
  };
  if (typeof key === 'number') return items ?? anyOf?.map((one) => inside(one, key)).find((one) => one !== undefined);
  return properties?.[key] ?? anyOf?.map((one) => inside(one, key)).find((one) => one !== undefined);
};
const isMarkdown = (schema: TSchema | undefined): boolean =>
  (schema as { contentMediaType?: string } | undefined)?.contentMediaType === 'text/markdown';

const longFrom = 200;
/** A value of an answer. */
const shown = (value: unknown, schema: TSchema | undefined): Html => {
  if (value === null || value === undefined) return notGiven;
  if (typeof value === 'number') return html`<span class="n">${number(value)}</span>`;
  if (typeof value === 'boolean') return html`${value ? 'Yes' : 'No'}`;
  if (typeof value === 'string') {
    if (value === '') return html`<span class="none">No text.</span>`;
    const isTime: boolean = isInstant(value);
    if (isTime) return moment(value);
    if (/^https?:\/\//.test(value)) return outwards(value);
    return isMarkdown(schema) || value.length > longFrom ? longText(value, isMarkdown(schema)) : name(value);
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<span class="none">none</span>`;
    return html`<ul class="list">${value.map((one) => html`<li>${shown(one, inside(schema, 0))}</li>`)}</ul>`;
  }
  return fields(value as Record<string, unknown>, schema);
};
const fields = (value: Record<string, unknown>, schema: TSchema | undefined): Html => {
  const entries = Object.entries(value);
  if (entries.length === 0) return html`<span class="none">none</span>`;
  return html`<dl class="facts">${entries.map(
    ([key, one]) => html`<div><dt>${label(key)}</dt>
    <dd>${shown(one, inside(schema, key))}</dd></div>`,
  )}</dl>`;
};

export interface GenericPage {
  operation: Operation;
  args: AnyArgs;
  data: unknown;
  /** The address of the page, with other arguments. */
  link: (args: AnyArgs) => string;
}

const listOf = ({ operation, args, data, link }: GenericPage): Html => {
  const isPage = operation.answer === 'page';
  const { items, total } = data as { items: unknown[]; total: number };
  const size = Number(isPage ? (data as PageData).pageSize : (data as { count: number }).count);
  const offset = isPage ? 0 : (data as { offset: number }).offset;
  const page = isPage ? (data as PageData).page : Math.floor(offset / size) + 1;
  const pages: PageData = { items, total, page, pageSize: size, totalPages: Math.ceil(total / size) };
  const at = (to: number) =>
    link({
      ...args,
      ...(isPage ? { page: to === 1 ? undefined : to } : { offset: to === 1 ? undefined : (to - 1) * size }),
    });
  const schema = inside(inside(operation.data, 'items'), 0);
  const isNarrowed = Object.keys(args).some(
    (key) => key in operation.query && !['page', 'pageSize', 'offset', 'count'].includes(key),
  );
  const body =
    items.length === 0
      ? emptyList(pages, 'items', at, isNarrowed ? at(1).replace(/\?.*/, '') : null)
      : html`<ol class="list">${items.map((one) => html`<li>${shown(one, schema)}</li>`)}</ol>`;
  return html`<section><div class="bar-head">
    <h2>${placeOf(pages, 'item')}</h2></div>${body}${isPage && pager(pages, at)}${
      !isPage &&
      pages.totalPages > 1 &&
      html`<nav class="pages" aria-label="Pages">
    <ul>${page > 1 && html`<li><a href="${at(page - 1)}" rel="prev">← Previous</a></li>`}${page < pages.totalPages && html`<li><a href="${at(page + 1)}" rel="next">Next →</a></li>`}</ul></nav>`
    }</section>`;
};

const crumbs = [['API', `${sitePaths.explore}/operations`]] as const;
export const genericView = (page: GenericPage): View => {
  const { operation, args, data } = page;
  const action = page
    .link(Object.fromEntries(Object.entries(args).filter(([key]) => key in operation.params)))
    .replace(/\?.*/, '');
  const isList = operation.answer === 'page' || operation.answer === 'slice';
  return {
    title: operation.summary,
    description: operation.description,
    current: 'operations',
    crumbs,
    lede: operation.description,
    main: html`${form(operation, action, args)}${
      isList
        ? listOf(page)
        : html`<section><div class="bar-head"><h2>Answer</h2></div>${shown(data, operation.data)}</section>`
    }`,
  };
};

/** The page of an operation that needs a key: nothing is read, and no key is asked for. */
export const lockedView = (operation: Operation, call: Call): View => ({
  title: operation.summary,
  description: operation.description,
  current: 'operations',
  crumbs,
  lede: operation.description,
  main: html`<div class="note">
    <p>${keyNote.required} These pages never read one: ask the API itself, for example <code>${call.path}</code> by the command line above.</p></div>`,
});
