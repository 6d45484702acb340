// The error of a failed call: what went wrong, for programs and for people, and what to do about it.
import type { ErrorCode } from '@commonhall/contract/errors';
import { errorRemedy } from '@commonhall/contract/errors';

/** Retry-After is a number of seconds, or a date from some proxies. */
const secondsOf = (retryAfter: string | null | undefined): number | null => {
  if (retryAfter === null || retryAfter === undefined) return null;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
};

/** A failed call. `NO_ANSWER`: no response arrived (status 0), or it did not come from Commonhall. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'NO_ANSWER';
  /** Identifies the request in the operator's log; null if no response arrived. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** What to do about it. */
  readonly remedy: string;
  constructor(status: number, code: ErrorCode | 'NO_ANSWER', message: string, headers?: Headers, cause?: unknown) {
    super(message, { cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.requestId = headers?.get('x-request-id') ?? null;
    this.retryAfterSeconds = secondsOf(headers?.get('retry-after'));
    const remedies: Record<string, string | undefined> = errorRemedy; // a newer server may send unknown codes
    this.remedy = remedies[code] ?? 'Check the base URL and the connection, then try again.';
  }
}
