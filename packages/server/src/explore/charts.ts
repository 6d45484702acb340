// Charts as SVG: bars, the calendar of a year, and lines that add up. What depends on data is an SVG attribute.
import type { Html } from './html.ts';
import { html } from './html.ts';
import { dayText, months, number, shortDay, word } from './words.ts';

/** A bar of a share, at least one per cent wide. */
export const meter = (value: number, most: number): Html => {
  const share = most === 0 ? 0 : Math.max(1, Math.round((value / most) * 1000) / 10);
  return html`<svg class="meter" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${share}" height="1"/></svg>`;
};

export interface WeekBar {
  href: string;
  instant: string;
  count: number;
  isCurrent: boolean;
}
export const weekBars = (weeks: readonly WeekBar[]): Html => {
  const most = Math.max(1, ...weeks.map(({ count }) => count));
  return html`<ol class="weeks">${weeks.map(({ href, instant, count, isCurrent }) => {
    const height = Math.round((count / most) * 100);
    return html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}><span class="n">${number(count)}<span class="vh"> launches in the week of</span></span><svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true"><rect y="${100 - height}" width="10" height="${height}"/></svg><span class="n">${shortDay(instant)}</span></a></li>`;
  })}</ol>`;
};

const dayMs = 86_400_000;
/** The level of a day among the active days of its year: above 85, 50 and 25 per cent of them. */
const levelsOf = (counts: readonly number[]) => {
  const active = counts.filter((count) => count > 0).sort((a, b) => a - b);
  const at = (share: number) => active[Math.min(active.length - 1, Math.floor(active.length * share))] ?? 0;
  const limits = [at(0.25), at(0.5), at(0.85)];
  return (count: number): number => (count === 0 ? 0 : 1 + limits.filter((limit) => count > limit).length);
};

/** The calendar of a year in two halves that stack. `days`: the count of each day, by its date. */
export const calendar = (year: number, days: ReadonlyMap<string, number>): Html => {
  const levelOf = levelsOf([...days.values()]);
  const half = (first: number) => {
    const begin = Date.UTC(year, first, 1);
    const end = Date.UTC(year, first + 6, 1);
    const monday = begin - ((new Date(begin).getUTCDay() + 6) % 7) * dayMs;
    const columnOf = (at: number) => Math.floor((at - monday) / (7 * dayMs));
    let total = 0;
    const cells: Html[] = [];
    for (let at = begin; at < end; at += dayMs) {
      const iso = new Date(at).toISOString();
      const count = days.get(iso.slice(0, 10)) ?? 0;
      total += count;
      const [x, y] = [22 + columnOf(at) * 12, 14 + ((new Date(at).getUTCDay() + 6) % 7) * 12];
      cells.push(
        html`<rect class="h${levelOf(count)}" x="${x}" y="${y}" width="10" height="10" rx="2">${count > 0 && html`<title>${dayText(iso)}: ${count}</title>`}</rect>`,
      );
    }
    const width = 22 + (columnOf(end - dayMs) + 1) * 12;
    const names = [0, 1, 2, 3, 4, 5].map((n) => {
      const at = Date.UTC(year, first + n, 1);
      return html`<text x="${22 + columnOf(at + (n === 0 ? 0 : 6 * dayMs)) * 12}" y="8">${months[first + n]}</text>`;
    });
    const range = first === 0 ? 'January to June' : 'July to December';
    return html`<svg viewBox="0 0 ${width} 98" role="img" aria-label="${range} ${year}: ${number(total)} items. The table below has the numbers."><text x="0" y="22">Mon</text><text x="0" y="46">Wed</text><text x="0" y="70">Fri</text>${names}${cells}</svg>`;
  };
  return html`<div class="heat">${half(0)}${half(6)}</div>`;
};

/** The numbers of a calendar by month and kind, as a table. */
export const monthTable = (
  year: number,
  kinds: readonly string[],
  countOf: (month: number, kind: string) => number,
): Html =>
  html`<details><summary class="small">The numbers as a table</summary><div class="scroll"><table><caption>Activity in ${year} by month</caption><thead><tr><th scope="col">Month</th>${kinds.map((kind) => html`<th scope="col" class="n">${word(kind)}</th>`)}</tr></thead><tbody>${months.map(
    (month, n) =>
      html`<tr><th scope="row">${month}</th>${kinds.map((kind) => html`<td class="n">${number(countOf(n, kind))}</td>`)}</tr>`,
  )}</tbody></table></div></details>`;

export interface Line {
  kind: string;
  /** The count of each month. */
  counts: readonly number[];
}
/** Lines that add up month by month; they differ by weight and dash as well as tone. */
export const sums = (year: number, lines: readonly Line[]): Html => {
  const added = lines.map(({ kind, counts }) => {
    let sum = 0;
    return { kind, points: counts.map((count) => (sum += count)) };
  });
  const most = Math.max(1, ...added.map(({ points }) => points.at(-1) ?? 0));
  const paths = added.map(({ points }, n) => {
    const steps = points.map((sum, month) => `${month + 1} ${Math.round((1 - sum / most) * 1000) / 10}`);
    return html`<path class="l${n + 1}" d="M0 100L${steps.join('L')}"/>`;
  });
  const totals = added.map(({ kind, points }) => `${word(kind)} ${number(points.at(-1) ?? 0)}`).join(', ');
  return html`<figure class="plot"><div class="y"><span class="n">0</span><span class="n">${number(most)}</span></div><svg viewBox="0 0 12 100" preserveAspectRatio="none" role="img" aria-label="Added up over ${year}: ${totals}.">${[0, 50, 100].map((y) => html`<path class="grid" d="M0 ${y}H12"/>`)}${paths}</svg><div class="x" aria-hidden="true">${months.map((month) => html`<span>${month.charAt(0)}</span>`)}</div></figure><p class="legend">${added.map(
    ({ kind, points }, n) =>
      html`<span><svg width="24" height="8" viewBox="0 0 24 8" aria-hidden="true"><path class="l${n + 1}" d="M0 4H24"/></svg>${word(kind)} <b class="n">${number(points.at(-1) ?? 0)}</b></span>`,
  )}</p>`;
};
