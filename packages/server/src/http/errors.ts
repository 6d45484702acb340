// Failures: helpers that throw or return them, and the only translation of errors into answers. The text of a 5xx
// reveals no internal details, except in development (contractBroken).
import { STATUS_CODES } from 'node:http';
import type { ErrorCode } from '@commonhall/contract/errors';
import { errorStatus, validationStatuses } from '@commonhall/contract/errors';
import type { Gate } from '../gates.ts';
import { Unavailable } from '../gates.ts';

/** An answer, not a fault. */
export class ApiFailure extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(code: ErrorCode, message: string, status: number, headers: Record<string, string>, cause: unknown) {
    // A stack trace would cost more than the answer, above all under overload.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

export const failure = (
  code: ErrorCode,
  message: string,
  {
    status = errorStatus[code] as number,
    headers = {},
    cause,
  }: { status?: number; headers?: Record<string, string>; cause?: unknown } = {},
): ApiFailure => new ApiFailure(code, message, status, headers, cause);

export const invalid = (message: string): ApiFailure => failure('VALIDATION_ERROR', message);
/** A validation error with a status of its own: the request was rejected before its parameters were read. */
export const invalidRequest = (status: keyof typeof validationStatuses): ApiFailure =>
  failure('VALIDATION_ERROR', validationStatuses[status], { status });
/** `allowed`: the value of the Allow header. */
export const methodNotAllowed = (allowed: string): ApiFailure => {
  const text = allowed.replace(/, (?=\w+$)/, ' and ');
  return failure('METHOD_NOT_ALLOWED', `Only ${text} are served`, { headers: { allow: allowed } });
};
export const unauthorized = (message: string): ApiFailure =>
  failure('UNAUTHORIZED', message, { headers: { 'www-authenticate': 'Bearer' } });
export const unavailable = (message: string, cause?: unknown): ApiFailure =>
  failure('SERVICE_UNAVAILABLE', message, { headers: { 'retry-after': '1' }, cause });
export const noSuchRoute = (): ApiFailure => failure('NOT_FOUND', 'No such route; /openapi.json lists them all');

/** The key that a path takes where things have two. The text is the same for every value: the other key is not looked up. */
const wantedKey: Readonly<Record<string, string>> = {
  Agent: '; give its name, not its id: GET /agents shows both',
  Bounty: '; give its slug, not its id: GET /bounties shows both',
  Launch: '; give its slug, not its id: GET /launches shows both',
  User: '; give the username, not the id',
};
/** Names the kind and never the value, so that absent and hidden are the same bytes (gap G4). */
export const notFound = (kind: string): never => {
  throw failure('NOT_FOUND', `${kind} not found${wantedKey[kind] ?? ''}`);
};
/** For the paths below a bounty, which take its id. */
export const bountyIdNotFound = (): never => {
  throw failure('NOT_FOUND', 'Bounty not found; give its id, not its slug: GET /bounties shows both');
};

/** With CHECK_RESPONSES only, where the reader of the response is the one who can correct it. */
export const contractBroken = (operation: string, problem: string): ApiFailure =>
  failure('INTERNAL_ERROR', `${operation} breaks its contract: ${problem}`);

export const asFailure = (error: unknown): ApiFailure => {
  if (error instanceof ApiFailure) return error;
  if (error instanceof Unavailable) return unavailable('The service cannot answer now; try again', error);
  const { statusCode } = error as { statusCode?: unknown };
  // What the framework itself rejects before a handler runs.
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return failure('VALIDATION_ERROR', STATUS_CODES[statusCode] ?? 'Bad Request', { cause: error });
  return failure('INTERNAL_ERROR', 'Something went wrong on our side', { cause: error });
};

/** The gate that refused a request; null: none did. */
export const gateOf = (failure: ApiFailure | null): Gate | null => {
  if (failure?.code === 'RATE_LIMITED') return 'rate limit';
  return failure?.cause instanceof Unavailable ? failure.cause.gate : null;
};

export const failureBody = ({ message, code }: ApiFailure): string =>
  JSON.stringify({ success: false, error: message, code });
