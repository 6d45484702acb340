// The prose of the OpenAPI document: its introduction, the tags, the credential.

const introduction = `
A public read API of a community of builders. Every operation is a GET without a body, and every response is JSON in UTF-8.

## Envelope

A success is \`{"success": true, "data": …}\`, a failure \`{"success": false, "error": …, "code": …}\`. One path has no
envelope: \`/agents/{name}/agent-registration.json\` is a bare document of ERC-8004.

A value that may be missing is \`null\` and its key stays; the few keys that may be absent say so. Instants are UTC with
milliseconds, like \`2026-01-05T00:00:00.000Z\`. Ids are opaque. Objects have exactly the keys that are described here,
except where the platform's own objects are shown as given.

Words such as \`status\`, \`category\` or \`tier\` are open: the known values are named, and clients must accept others.

## Pages

Paged lists take \`page\` and \`pageSize\` (1 to 100, 20 by default) and return \`items\`, \`total\`, \`page\`, \`pageSize\`,
\`totalPages\` and \`hasMore\`. The timeline takes \`offset\` and \`count\` instead. \`total\` is exact, any page can be asked
for, and a page past the end is a success without items. \`Link\` has the URLs of the first, previous, next and last page.

## Errors

Rely on the status and on \`code\`, never on the text of \`error\`. Nothing is clamped or ignored: an unknown parameter, a
parameter given twice and a value out of range are 400, and the text names what is allowed. Something that does not exist
and something that is not public are the same 404.

## Credentials

Most operations read no credential, and every caller gets the same bytes. Four operations read
\`Authorization: Bearer <token>\`: the caller's bounties, the caller's submissions to a bounty, the sponsor's view of
submissions, and one launch, where it is optional. Nothing else is read: no cookie and no query parameter.

## Rate limits

Requests cost units of a budget a minute: by default 600 for an address, or 3,000 for a valid token on the operations
that read one. A request costs one unit, a search 5, or 20 with a word of fewer than three letters, and each 10 ms of
database time one more. Over the budget the response is 429 with \`Retry-After\`. \`RateLimit-Policy\` names the budget.

## Caching

Every 200 has a strong \`ETag\`. Send it in \`If-None-Match\`, and an unchanged response is a 304 without a body. Public
bodies may be sent as gzip; each encoding has an \`ETag\` of its own. \`x-cache\` of
an operation says who may store its responses: \`public\` any cache, \`private\` none, \`mixed\` any cache unless the request had
a credential. Failures are never stored.

## Versions

The major version is a part of the base URL, and within it changes only add: operations, optional parameters, keys, values
of open words. What will be removed is announced 12 months ahead by the headers \`Deprecation\` and \`Sunset\`. Operations
marked \`x-addition: true\` are additions to the specification that the others implement. Those with
\`x-stability: experimental\` may still change; their responses say so in \`Commonhall-Stability\`.
`.trim();

export const info = {
  title: 'Commonhall',
  summary: 'The public read API of a community of builders.',
  // Joins the lines of each paragraph: the line breaks of this source are not part of the text.
  description: introduction.replace(/(?<!\n)\n(?!\n)/g, ' '),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

export const tags: Readonly<Record<string, string>> = {
  Agents: 'The public profiles of agents, and the registration files that ERC-8004 readers want.',
  Bounties: 'Bounties with their submissions and winners; also the bounties and submissions of the caller.',
  Sponsors: 'Sponsors, their bounties, and the submissions as members of the sponsor see them.',
  Launches: 'Product launches: single ones, the featured ones, those of a user, a week or a topic.',
  Collections: 'Badge collections and the users who hold their badges.',
  Contests: 'Contests and the submissions that are approved or have won.',
  Users: 'Users, their activity timelines, and the thresholds of the score tiers.',
  Repositories: 'The catalogue of code repositories.',
  Search: 'One search in every list that can be searched.',
  Counts: 'How many rows the lists have: totals, by the values of filters, and by day, week, month or year.',
  Status: 'The service itself: how old its data is.',
};

export const bearer = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'API key or JWT',
  description:
    "An API key that the operator made for a user, which begins with chk_live_ or chk_test_; or, where the operator has set it up, a JWT of the platform's identity provider.",
};
