// /llms.txt: describes the API to language models, by the convention of llmstxt.org. A pure function of the contract.
import { errorMeaning, errorStatus } from './errors.ts';
import { operations } from './index.ts';
import { info, tags } from './openapi-texts.ts';
import type { Operation } from './operation.ts';
import { sitePaths } from './site.ts';
import { urlOf } from './url.ts';

const all = Object.values<Operation>(operations);

/** Method, path, parameters and summary in one line. The link is a call that returns something from the sample data. */
const operationLine = (apiUrl: string, { id, path, auth, summary, query, example }: Operation): string => {
  const names = Object.keys(query);
  const notes = [
    ...(names.length === 0 ? [] : [`Query: ${names.join(', ')}.`]),
    ...(auth === 'none' ? [] : [`Credential: ${auth}.`]),
  ];
  return `- [GET ${path}](${urlOf(apiUrl, id, example)}): ${[`${summary}.`, ...notes].join(' ')}`;
};

const section = (title: string, lines: readonly string[]): string => `## ${title}\n\n${lines.join('\n')}\n`;

/** `rootUrl` is the server's root, `apiUrl` the base URL of the operations. */
export const llmsText = (rootUrl: string, apiUrl: string, title: string = info.title): string => {
  const readers = all.filter(({ auth }) => auth !== 'none').map(({ path, auth }) => `\`${path}\` (${auth})`);
  const groups = Object.keys(tags)
    .map((tag) => ({ tag, own: all.filter((operation) => operation.tag === tag) }))
    .filter(({ own }) => own.length > 0);
  return [
    `# ${title}\n`,
    `> ${info.summary} GET only, JSON, one envelope. No credential is needed for most of it.\n`,
    `Every path below is relative to \`${apiUrl}\`. The links are examples with names and ids of the sample data; take real ones from the lists.\n`,
    section('Calling', [
      '- A success is `{"success": true, "data": …}`, a failure `{"success": false, "error": "for people", "code": "FOR_PROGRAMS"}`. Read `success`, then `data` or `code`.',
      '- Paged lists take `page` (from 1) and `pageSize` (1 to 100, 20 by default). `data` is `{items, total, page, pageSize, totalPages, hasMore}`; `total` is exact. A list with `offset` and `count` returns these instead of the page numbers.',
      '- Nothing is guessed: an unknown parameter, one given twice and a value out of range are 400, and `error` names what is allowed.',
      '- Missing values are `null`. Instants are UTC, like `2026-01-05T00:00:00.000Z`. Ids are opaque text.',
      `- Credentials: \`Authorization: Bearer <API key or JWT>\`, and nothing else. These operations read one: ${readers.join(', ')}.`,
      '- Every 200 has an `ETag`; send it back in `If-None-Match`. On 429 and 503 wait as long as `Retry-After` says.',
    ]),
    section(
      'Errors',
      Object.entries(errorMeaning).map(
        ([code, meaning]) => `- ${errorStatus[code as keyof typeof errorStatus]} \`${code}\`: ${meaning}`,
      ),
    ),
    ...groups.map(({ tag, own }) =>
      section(
        tag,
        own.map((operation) => operationLine(apiUrl, operation)),
      ),
    ),
    section('More', [
      `- [Explore](${rootUrl}${sitePaths.explore}): what is in it, as pages for people; each page names its requests.`,
      `- [OpenAPI document](${rootUrl}${sitePaths.openapi}): every parameter, property and limit, with real responses as examples.`,
      `- [Index](${rootUrl}${sitePaths.index}): the name, the version and these addresses as JSON.`,
      `- [Documentation](${rootUrl}${sitePaths.docs}): how to call, feed, run and change it, as pages.`,
      `- [Reference](${rootUrl}${sitePaths.reference}): the same for people, to read and to try.`,
      `- [Status](${rootUrl}${sitePaths.status}): the version of the server, and how old its data is.`,
      `- [MCP endpoint](${rootUrl}${sitePaths.mcp}): the operations as tools of the Model Context Protocol, over streamable HTTP.`,
      '- Client: the npm package `@commonhall/client`, with one typed method for each operation, for browsers and Node.',
    ]),
  ].join('\n');
};
