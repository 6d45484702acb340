// The tag `html`: builds HTML as the tag `sql` builds statements. A value is text and is escaped, unless it is Html, which
// only this tag makes. Attributes are always in double quotes.
import { escapeHtml } from '../site/page.ts';

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
/** null, undefined and false are nothing, so that a condition can stand in a template. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const textOf = (value: HtmlValue): string => {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(textOf).join('') : escapeHtml(String(value));
};

export const html = (parts: TemplateStringsArray, ...values: HtmlValue[]): Html =>
  new Html(parts.map((part, n) => part + textOf(values[n])).join(''));

export const joined = (values: readonly Html[], between: string): Html =>
  new Html(values.map(({ text }) => text).join(escapeHtml(between)));
