// The page of a person: the calendar of a year, activity by type, badges and launches.
import type { Data } from './calls.ts';
import { calendar, monthTable, sums } from './charts.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import type { Designed } from './parts.ts';
import { allOf, launchList, linkTo, section, wall } from './parts.ts';
import { outwards } from './text.ts';
import { counted, day, name, word } from './words.ts';

const types = ['COMMIT', 'PR', 'BADGE_RECEIVED', 'GIFT_RECEIVED'] as const;
const typeNames: Record<(typeof types)[number], readonly [one: string, many: string]> = {
  COMMIT: ['Commit', 'commits'],
  PR: ['Pull request', 'pull requests'],
  BADGE_RECEIVED: ['Badge', 'badges'],
  GIFT_RECEIVED: ['Gift', 'gifts'],
};

type Item = Data<'getUserTimeline'>['items'][number];
const textAt = (details: Record<string, unknown>, key: string): string | null =>
  typeof details[key] === 'string' && details[key] !== '' ? details[key] : null;
const activity = (items: readonly Item[]): Html =>
  html`<ul class="list">${items.map(({ type, date, details }) => {
    const known = details as Record<string, unknown>;
    const text = ['message', 'title', 'collectionName', 'name']
      .map((key) => textAt(known, key))
      .find((one) => one !== null);
    const address = textAt(known, 'collectionAddress');
    const url = textAt(known, 'url');
    const title = text ?? typeNames[type][0];
    const shown =
      address !== null && type === 'BADGE_RECEIVED'
        ? html`<a href="${linkTo('getCollection', { address })}">${name(title)}</a>`
        : url !== null
          ? outwards(url, title)
          : name(title);
    return html`<li>${shown}<p class="soft small">${typeNames[type][0]} · ${day(date)}</p></li>`;
  })}</ul>`;

const one: Designed<'getUser'> = {
  own: { year: /^\d{4}$/ },
  view: async ({ data, args, call, pictures, own, now }) => {
    const { username } = args;
    const years = (await call('countUserTimeline', { username, by: 'year' })).groups[0]?.values ?? [];
    const year = Number(own.year ?? years.at(-1)?.value ?? new Date(now).getUTCFullYear());
    const first = (of: number) => `${String(of).padStart(4, '0')}-01-01T00:00:00.000Z`;
    const range = { from: first(year), ...(year < 9999 ? { to: first(year + 1) } : {}) };
    const [days, latest, badges, launches, submissions, agents] = await Promise.all([
      call('countUserTimeline', { username, by: 'day', split: 'type', ...range }),
      call('getUserTimeline', { username, sortOrder: 'desc', count: 8 }),
      call('listUserBadges', { username, pageSize: 12 }),
      call('listUserLaunches', { username, pageSize: 6 }),
      call('listUserSubmissions', { username, pageSize: 4 }),
      call('listUserAgents', { username, pageSize: 4 }),
    ]);
    const values = days.groups[0]?.values ?? [];
    const byDay = new Map(values.map(({ value, count }) => [value ?? '', count]));
    const perMonth = new Map<string, number[]>(types.map((type) => [type, Array.from({ length: 12 }, () => 0)]));
    for (const { value, split } of values)
      for (const part of split ?? []) {
        const months = perMonth.get(part.value ?? '');
        if (months !== undefined) months[Number(value?.slice(5, 7)) - 1]! += part.count;
      }
    const lines = types.map((type) => ({ kind: typeNames[type][1], counts: perMonth.get(type) ?? [] }));
    const countOf = (month: number, kind: string) => lines.find((line) => line.kind === kind)?.counts[month] ?? 0;
    const used = [...new Set([...years.filter(({ count }) => count > 0).map(({ value }) => Number(value)), year])].sort(
      (a, b) => a - b,
    );
    const yearLinks = html`<nav aria-label="Year">
      <p class="row small">${used.map((one) => html`<a class="tag${one === year && ' on'}"${one === year && html` aria-current="page"`} href="${linkTo('getUser', { username })}?year=${one}">${one}</a>`)}</p></nav>`;
    return {
      title: data.displayName,
      description: data.bio ?? `What ${data.displayName} built and earned.`,
      hero: html`<div class="hero">${pictures.picture(data.avatar?.lg ?? null, data.displayName, 'user l', 512)}
        <div><h1>${name(data.displayName)}</h1>
        <p class="soft mono">${name(`@${data.username}`)}</p>${data.bio !== null && html`<p class="lede" dir="auto">${data.bio}</p>`}
        <p class="tags">${data.tags.map(({ tag, tier }) => html`<span class="tag">${name(word(tag))} · ${name(word(tier))}</span>`)}${data.tags.length > 0 && html` <a class="small" href="${linkTo('getScoreTiers', {})}">What the tiers mean</a>`}</p></div></div>`,
      isIndexed: own.year === undefined,
      canonical: linkTo('getUser', { username }),
      image: pictures.allowed(data.avatar?.lg ?? null),
      main: html`${section(
        `Activity in ${year}`,
        yearLinks,
        days.total === 0
          ? html`<p class="none">Nothing happened in ${year}.</p>`
          : html`${calendar(year, byDay)}${sums(year, lines)}${monthTable(
              year,
              lines.map(({ kind }) => kind),
              countOf,
            )}`,
      )}<div class="cols"><div class="stack">${section(
        'Latest activity',
        latest.total > 0 &&
          html`<a href="${linkTo('getUserTimeline', { username, sortOrder: 'desc' })}">All ${counted(latest.total, 'item')}</a>`,
        latest.items.length === 0 ? html`<p class="none">Nothing yet.</p>` : activity(latest.items),
      )}${
        submissions.total > 0 &&
        section(
          'Submissions to bounties',
          allOf(submissions.total, linkTo('listUserSubmissions', { username })),
          html`<ul class="list">${submissions.items.map(
            (
              sent,
            ) => html`<li><a href="${linkTo('getBounty', { slug: sent.bounty.slug })}">${name(sent.bounty.title)}</a>
        <p class="soft small">${name(sent.title)} · ${sent.prizePlace === null ? word(sent.status) : `place ${sent.prizePlace}`} · ${day(sent.createdAt)}</p></li>`,
          )}</ul>`,
        )
      }</div>
        <div class="stack">${section(
          'Badges',
          badges.total > 0 && allOf(badges.total, linkTo('listUserBadges', { username })),
          badges.items.length === 0
            ? html`<p class="none">No badges yet.</p>`
            : wall(pictures, badges.items, 'small-tiles'),
        )}${section(
          'Launches',
          launches.total > 0 && allOf(launches.total, linkTo('listUserLaunches', { username })),
          launches.items.length === 0 ? html`<p class="none">No launches yet.</p>` : launchList(launches.items),
        )}${
          agents.total > 0 &&
          section(
            'Agents',
            allOf(agents.total, linkTo('listUserAgents', { username })),
            html`<ul class="list">${agents.items.map(
              (agent) => html`<li><a href="${linkTo('getAgent', { name: agent.name })}">${name(agent.displayName)}</a>
        <p class="clamp soft small" dir="auto">${agent.bio}</p></li>`,
            )}</ul>`,
          )
        }</div></div>`,
    };
  },
};

export const userPages = { getUser: one };
