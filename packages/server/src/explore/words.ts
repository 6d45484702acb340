// How values are written for people: numbers, days, times, words of open lists. UTC everywhere.
import type { Html } from './html.ts';
import { html } from './html.ts';

export const number = (value: number): string => value.toLocaleString('en');
/** 1 launch, 2 launches. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`;

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const clockFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
export const dayText = (instant: string): string => dayFormat.format(new Date(instant));
export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
export const shortDay = (instant: string): string => {
  const at = new Date(instant);
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]}`;
};

/** A value that is null is shown as such. */
export const notGiven: Html = html`<span class="none">not given</span>`;
export const day = (instant: string | null): Html =>
  instant === null ? notGiven : html`<time datetime="${instant}" title="${instant}">${dayText(instant)}</time>`;
export const moment = (instant: string | null): Html =>
  instant === null
    ? notGiven
    : html`<time datetime="${instant}" title="${instant}">${dayText(instant)}, ${clockFormat.format(new Date(instant))} UTC</time>`;

const dayMs = 86_400_000;
/** How far away a day is, counted in days of UTC. */
export const distance = (instant: string, now: number): string => {
  const days = Math.floor(Date.parse(instant) / dayMs) - Math.floor(now / dayMs);
  if (days === 0) return 'today';
  if (Math.abs(days) === 1) return days > 0 ? 'tomorrow' : 'yesterday';
  return days > 0 ? `in ${number(days)} days` : `${number(-days)} days ago`;
};
/** Milliseconds until the next midnight of UTC, when distances change. */
export const msToMidnight = (now: number): number => dayMs - (now % dayMs);

/** A name that somebody chose: it cannot turn around the text beside it. */
export const name = (text: string): Html => html`<bdi>${text}</bdi>`;
const acronyms = ['AI', 'API', 'DAO', 'NFT', 'SBT', 'URL'];
/** NEED_REVIEW → Need review. Words in mixed case are shown as they are. */
export const word = (text: string): string => {
  if (acronyms.includes(text.toUpperCase())) return text.toUpperCase();
  if (text !== text.toUpperCase() && text !== text.toLowerCase()) return text;
  const plain = text.replace(/[_-]/g, ' ').toLowerCase();
  return plain.charAt(0).toUpperCase() + plain.slice(1);
};
/** onChainCreatedAt → On chain created at. */
export const label = (key: string): string => {
  const words = key.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
