// The responses of the OpenAPI document: headers, failures, and the success of an operation, each with an example.
import type { ErrorCode } from './errors.ts';
import { commonFailures, commonValidationStatuses, errorMeaning, errorStatus, validationStatuses } from './errors.ts';

/** Real response bodies: of the 200 by operation id, and of each failure by the name of its response component. */
export interface Examples {
  operations: Readonly<Record<string, unknown>>;
  failures: Readonly<Record<string, unknown>>;
}

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });
export const headers = {
  RequestId: text(
    'The id of this request in the logs of the service. Name it when you report a problem.',
    '0b5c2a0e-6f0c-4f39-9d1b-2c7a4f3e8d10',
  ),
  CacheControl: text(
    'Who may store the response and for how many seconds; no-store on failures.',
    'public, max-age=1, must-revalidate',
  ),
  ETag: text(
    'A strong validator: a hash of the bytes of the body. Each encoding has its own. Send it in If-None-Match.',
    '"3q2-7wAAAAAAAAAAAAAAAA"',
  ),
  Link: text(
    'RFC 8288, absolute URLs: first, prev, next and last of a list, where they exist; alternate of an agent.',
    '<https://api.commonhall.example/contests?page=2>; rel="next"',
  ),
  Vary: text(
    'What of the request the response depends on: the credential where one is read, the encoding where any cache may store it.',
    'Authorization, Accept-Encoding',
  ),
  RateLimitPolicy: text(
    'The budget of the caller: units (q) in a window of seconds (w). Absent when the operator has switched limits off.',
    '"address";q=600;w=60',
  ),
  RateLimit: text(
    'What is left of the budget: units (r), and seconds until it is full again (t). Absent when limits are off.',
    '"address";r=599;t=60',
  ),
  RetryAfter: { description: 'How many seconds to wait before the next try.', schema: { type: 'integer' }, example: 1 },
  WwwAuthenticate: text('The kind of credential that is wanted.', 'Bearer'),
};

const header = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });
const alwaysHeaders = {
  'X-Request-Id': header('RequestId'),
  'Cache-Control': header('CacheControl'),
  'RateLimit-Policy': header('RateLimitPolicy'),
};
const json = (schema: unknown, example: unknown) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});

const extraHeaders: Partial<Record<ErrorCode, object>> = {
  UNAUTHORIZED: { 'WWW-Authenticate': header('WwwAuthenticate') },
  RATE_LIMITED: { 'Retry-After': header('RetryAfter') },
  SERVICE_UNAVAILABLE: { 'Retry-After': header('RetryAfter') },
};
/** One response for each code, and for each common extra status of VALIDATION_ERROR. */
export const failureComponents = ({ failures }: Examples) => {
  const component = (name: string, description: string, more: object = {}) => [
    name,
    {
      description,
      headers: { ...alwaysHeaders, RateLimit: header('RateLimit'), ...more },
      content: json({ $ref: '#/components/schemas/Failure' }, failures[name]),
    },
  ];
  const codes = (Object.keys(errorStatus) as ErrorCode[]).filter(
    (code) => code !== 'METHOD_NOT_ALLOWED' && code !== 'CURSOR_EXPIRED', // of no operation
  );
  return Object.fromEntries([
    ...codes.map((code) => component(code, `${code}: ${errorMeaning[code]}`, extraHeaders[code])),
    ...commonValidationStatuses.map((status) =>
      component(`VALIDATION_ERROR_${status}`, `VALIDATION_ERROR: ${validationStatuses[status]}`),
    ),
  ]);
};

interface Success {
  schema: unknown;
  example: unknown;
  description: string;
  hasLink: boolean;
  readsTokens: boolean;
  failures: readonly ErrorCode[];
}
/** All responses of an operation. */
export const responsesOf = ({ schema, example, description, hasLink, readsTokens, failures }: Success) => {
  const ref = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const successHeaders = {
    ...alwaysHeaders,
    ETag: header('ETag'),
    Vary: header('Vary'),
    ...(readsTokens ? { RateLimit: header('RateLimit') } : {}),
  };
  return {
    200: {
      description,
      headers: { ...successHeaders, ...(hasLink ? { Link: header('Link') } : {}) },
      content: json(schema, example),
    },
    304: { description: 'Not modified: the caller already has this body.', headers: successHeaders },
    ...Object.fromEntries([
      ...[...commonFailures, ...failures].map((code) => [String(errorStatus[code]), ref(code)]),
      ...commonValidationStatuses.map((status) => [String(status), ref(`VALIDATION_ERROR_${status}`)]),
    ]),
  };
};
