// Pages of bounties: the list, and one with its brief, submissions, prizes and winners.
import type { Data } from './calls.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import { placeOf } from './pager.ts';
import type { Designed } from './parts.ts';
import {
  allOf,
  bountyList,
  facts,
  figures,
  isListed,
  linkTo,
  paged,
  panels,
  prizeSum,
  searchForm,
  section,
  who,
} from './parts.ts';
import { longText, outwards } from './text.ts';
import { counted, day, distance, name, number, word } from './words.ts';

const list: Designed<'listBounties'> = {
  view: async (context) => {
    const { args, data, call, now } = context;
    const { page: _, pageSize: __, q, sortBy, sortOrder, ...filters } = args;
    const counts = await call('countBounties', { ...filters, by: 'status,category' });
    const { page: ___, ...whole } = args;
    const orders = [
      ['publishedAt', 'Newest'],
      ['submissionEnd', 'Closing next'],
    ] as const;
    return {
      title: 'Bounties',
      description: 'Work that sponsors ask for and pay for.',
      current: 'bounties',
      lede: 'Work that sponsors ask for and pay for.',
      isIndexed: isListed(q, filters, data),
      canonical: linkTo('listBounties', args),
      feed: 'bounties',
      main: html`${searchForm(linkTo('listBounties', {}), 'Search bounties', q, filters)}
        <div class="cols"><section><div class="bar-head"><h2>${placeOf(data, 'bounty', 'bounties')}</h2>
        <p class="row">${orders.map(([key, text]) => html`<a class="tag${(sortBy ?? 'publishedAt') === key && ' on'}" href="${linkTo('listBounties', { ...whole, sortBy: key === 'publishedAt' ? undefined : key, sortOrder: undefined })}"${(sortBy ?? 'publishedAt') === key && html` aria-current="true"`}>${text}</a>`)}<a class="jump" href="#filters">Filters</a></p></div>
        ${paged('listBounties', context, 'bounties', () => bountyList(data.items, now))}</section>
        <div class="stack facets" id="filters">
        ${panels('listBounties', args, counts, { status: 'Status', category: 'Category' })}</div></div>`,
    };
  },
};

type Submission = Data<'listBountySubmissions'>['items'][number];
const works = (pictures: Parameters<typeof who>[0], items: readonly Submission[]): Html =>
  html`<ul class="list">${items.map(
    (one) =>
      html`<li><h3>${name(one.title)}</h3>
        <p class="row small">${who(pictures, one.user)}<span class="tag">${word(one.status)}</span>${one.prizePlace !== null && html`<b>Place ${number(one.prizePlace)}</b>`}<span class="soft">${counted(one.clapCount, 'clap')} · ${day(one.createdAt)}</span></p>${one.fieldValues.map((field) => html`<p class="small"><span class="soft">${name(field.label)}:</span> ${outwards(field.value)}</p>`)}</li>`,
  )}</ul>`;

const shownAtOnce = 5;
const one: Designed<'getBounty'> = {
  view: async ({ data, call, pictures, now }) => {
    const [submissions, winners] = await Promise.all([
      data.submissionsVisible ? call('listBountySubmissions', { bountyId: data.id, pageSize: shownAtOnce }) : null,
      call('listBountyWinners', { bountyId: data.id }),
    ]);
    const wonBy = (place: number) =>
      winners.filter(({ prizePlace }) => prizePlace === place).map(({ user }) => who(pictures, user));
    const places = [
      ...new Set([...data.rewards.map(({ place }) => place), ...winners.map(({ prizePlace }) => prizePlace)]),
    ].sort((a, b) => a - b);
    const prizes = html`<ol class="list">${places.map((place) => {
      const amounts = data.rewards.filter((reward) => reward.place === place);
      return html`<li class="line"><span>Place ${number(place)}${amounts.length > 0 && html` · <b class="n">${amounts.map(({ amount }) => number(amount)).join(', ')}</b>`}</span>${wonBy(place)}</li>`;
    })}</ol>`;
    const closes =
      data.submissionEnd === null ? null : html`${day(data.submissionEnd)}, ${distance(data.submissionEnd, now)}`;
    const more = linkTo('listBountySubmissions', { bountyId: data.id });
    return {
      title: data.title,
      description: data.shortDescription,
      current: 'bounties',
      crumbs: [
        ['Bounties', linkTo('listBounties', {})],
        [data.sponsor.name, linkTo('listBounties', { sponsorId: data.sponsor.slug })],
      ],
      hero: html`<div class="hero">${pictures.picture(data.sponsor.logo, data.sponsor.name, 'l', 256)}<div>
        <h1>${name(data.title)}</h1><p class="lede" dir="auto">${data.shortDescription}</p>
        <p class="tags"><a class="tag" href="${linkTo('listBounties', { status: data.status })}">${word(data.status)}</a><a class="tag" href="${linkTo('listBounties', { category: data.category })}">${name(word(data.category))}</a></p></div></div>`,
      isIndexed: true,
      canonical: linkTo('getBounty', { slug: data.slug }),
      image: pictures.allowed(data.imageUrl),
      main: html`${figures([
        ['prizes in sum', prizeSum(data.rewards)],
        ['submissions', number(data.submissionCount)],
        ['winners', number(winners.length)],
      ])}<div class="cols">
        <div class="stack">${pictures.allowed(data.imageUrl) !== null && pictures.picture(data.imageUrl, data.title, 'wide', 960)}
        ${section('The brief', null, longText(data.details, true))}${section(
          'Submissions',
          submissions !== null && submissions.total > 0 && allOf(submissions.total, more),
          submissions === null
            ? html`<p class="note">This bounty does not show its submissions now.</p>`
            : submissions.items.length === 0
              ? html`<p class="none">There are none yet.</p>`
              : works(pictures, submissions.items),
        )}</div><div class="stack">
        ${section('Prizes', null, places.length === 0 ? html`<p class="none">none</p>` : prizes, winners.length === 0 && html`<p class="soft small">Winners are shown once the bounty is completed.</p>`)}
        ${section(
          'Calendar',
          null,
          facts([
            ['Published', day(data.publishedAt)],
            ['Opens', day(data.submissionStart)],
            ['Closes', closes],
            ['Review', html`${day(data.reviewStart)} to ${day(data.reviewEnd)}`],
            ['Completed', data.completedAt === null ? undefined : day(data.completedAt)],
          ]),
        )}${section(
          'Sponsor',
          null,
          facts([
            [
              'Name',
              html`<a href="${linkTo('getSponsor', { idOrSlug: data.sponsor.slug })}">${name(data.sponsor.name)}</a>`,
            ],
            ['Website', data.sponsor.website === null ? null : outwards(data.sponsor.website)],
          ]),
        )}${data.fields.length > 0 && section('A submission has', null, html`<ul class="list">${data.fields.map((field) => html`<li class="line"><span>${name(field.label)}</span><span class="soft small">${word(field.type)}${field.required && ', required'}</span></li>`)}</ul>`)}</div></div>`,
    };
  },
};

export const bountyPages = { listBounties: list, getBounty: one };
