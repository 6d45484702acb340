// The failure of a call: what went wrong, for programs and for people, and what to do about it.
import type { ErrorCode } from '@commonhall/contract/errors';
import { errorRemedy } from '@commonhall/contract/errors';

/** Seconds, or the date that proxies write instead. */
const secondsOf = (retryAfter: string | null | undefined): number | null => {
  if (retryAfter === null || retryAfter === undefined) return null;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
};

/** A failure of the API. `NO_ANSWER`: none at all (status 0), or one that is not Commonhall's. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'NO_ANSWER';
  /** For the operator's log; null when nothing was answered. */
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
    const remedies: Record<string, string | undefined> = errorRemedy; // a newer server may have more codes
    this.remedy = remedies[code] ?? 'Check the base URL and the connection, then try again.';
  }
}
