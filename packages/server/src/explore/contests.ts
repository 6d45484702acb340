// Pages of contests: cards, and one contest with its text, rules, entries and calendar.
import type { Data } from './calls.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import { placeOf } from './pager.ts';
import type { Designed } from './parts.ts';
import { allOf, contestCards, facts, figures, linkTo, paged, section, who } from './parts.ts';
import type { Pictures } from './pictures.ts';
import { longText } from './text.ts';
import { counted, day, distance, name, notGiven, number, word } from './words.ts';

const list: Designed<'listContests'> = {
  view: async (context) => {
    const { args, data, call, pictures, now } = context;
    const { displayStatus, q } = args;
    const counts = await call('countContests', { by: 'displayStatus' });
    const countOf = (value: string) => counts.groups[0]?.values.find((one) => one.value === value)?.count ?? 0;
    const tabs = [
      [undefined, 'All', countOf('active') + countOf('completed')],
      ['active', 'Active', countOf('active')],
      ['completed', 'Completed', countOf('completed')],
    ] as const;
    return {
      title: 'Contests',
      description: 'Contests of the community: what to build, what can be won, and until when.',
      current: 'contests',
      lede: 'What to build, what can be won, and until when.',
      isIndexed: q === undefined && data.items.length > 0,
      canonical: linkTo('listContests', args),
      feed: 'contests',
      main: html`<section><div class="bar-head"><h2>${placeOf(data, 'contest')}</h2><nav aria-label="Status">
        <p class="row small">${tabs.map(([value, text, count]) => html`<a class="tag${displayStatus === value && ' on'}"${displayStatus === value && html` aria-current="page"`} href="${linkTo('listContests', value === undefined ? {} : { displayStatus: value })}">${text} ${number(count)}</a>`)}</p></nav></div>
        ${paged('listContests', context, 'contests', () => contestCards(pictures, data.items, now))}</section>`,
    };
  },
};

type Entry = Data<'listContestSubmissions'>['items'][number];
const entries = (pictures: Pictures, contestId: string, items: readonly Entry[]): Html =>
  html`<ul class="list">${items.map(
    (one) =>
      html`<li>
        <h3><a href="${linkTo('getContestSubmission', { contestId, submissionId: one.id })}">${name(one.title)}</a></h3>
        <p class="clamp soft" dir="auto">${one.description}</p>
        <p class="row small">${who(pictures, one.user)}${one.prizePlace !== null && html`<b>Place ${number(one.prizePlace)}</b>`}<span class="soft">${counted(one.clapCount, 'clap')} · ${counted(one.supportersPreview.totalCount, 'supporter')}</span></p></li>`,
  )}</ul>`;

/** Tracks are as the platform gave them: every key may be missing. */
const trackList = (tracks: readonly Record<string, unknown>[]): Html =>
  html`<ul class="list">${tracks.map(({ name: title, description, prizePool }) => html`<li><b>${typeof title === 'string' ? name(title) : notGiven}</b>${typeof description === 'string' && html`<p class="soft small" dir="auto">${description}</p>`}${typeof prizePool === 'string' && html`<p class="small">${name(prizePool)}</p>`}</li>`)}</ul>`;

const one: Designed<'getContest'> = {
  view: async ({ data, call, pictures, now }) => {
    const found = await call('listContestSubmissions', { contestId: data.id, pageSize: 8 });
    return {
      title: data.title,
      description: data.shortDescription,
      current: 'contests',
      crumbs: [['Contests', linkTo('listContests', {})]],
      hero: html`<h1>${name(data.title)}</h1>
        <p class="row"><span class="dot${data.displayStatus === 'active' && ' on'}">${word(data.displayStatus)}</span></p>
        <p class="lede" dir="auto">${data.shortDescription}</p>`,
      isIndexed: true,
      canonical: linkTo('getContest', { idOrSlug: data.slug }),
      image: pictures.allowed(data.imageUrl),
      main: html`${figures([
        ['prize pool', data.prizePool === '' ? '–' : name(data.prizePool)],
        ['entries', number(found.total)],
        ['tracks', number(data.tracks.length)],
      ])}<div class="cols">
        <div class="stack">${pictures.allowed(data.imageUrl) !== null && pictures.picture(data.imageUrl, data.title, 'wide', 960)}
        ${section('Details', null, longText(data.details, true))}${data.rules !== '' && section('Rules', null, longText(data.rules))}
        ${section(
          'Entries, newest first',
          found.total > 0 && allOf(found.total, linkTo('listContestSubmissions', { contestId: data.id })),
          found.items.length === 0
            ? html`<p class="none">There are none yet.</p>`
            : entries(pictures, data.id, found.items),
        )}</div><div class="stack">${section(
          'Calendar',
          null,
          facts([
            ['Submissions', html`${day(data.submissionStart)} to ${day(data.submissionEnd)}`],
            ['Voting', html`${day(data.votingStart)} to ${day(data.votingEnd)}`],
            ['Ends', distance(data.votingEnd, now)],
          ]),
        )}${data.tracks.length > 0 && section('Tracks', null, trackList(data.tracks))}</div></div>`,
    };
  },
};

export const contestPages = { listContests: list, getContest: one };
