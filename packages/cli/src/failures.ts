// Errors as text and as an exit status.
import { ApiError } from '@commonhall/client';
import { printable } from '@commonhall/contract/printable';

/** A mistake that the user of the command can correct. */
export class UsageError extends Error {}

/** The exit statuses, shown by --help. */
export const exitStatuses: Record<number, string> = {
  0: 'success',
  1: 'an error in the service or in this program',
  2: 'the command or a parameter is wrong (VALIDATION_ERROR)',
  3: 'not found, or not public (NOT_FOUND)',
  4: 'the API key is missing, invalid or not sufficient (UNAUTHORIZED, FORBIDDEN, SUBMISSIONS_HIDDEN)',
  5: 'temporarily unavailable; try again later (RATE_LIMITED, SERVICE_UNAVAILABLE, or no connection)',
};
const statusOf: Record<string, number> = {
  VALIDATION_ERROR: 2,
  METHOD_NOT_ALLOWED: 2,
  NOT_FOUND: 3,
  UNAUTHORIZED: 4,
  FORBIDDEN: 4,
  SUBMISSIONS_HIDDEN: 4,
  RATE_LIMITED: 5,
  SERVICE_UNAVAILABLE: 5,
  NO_ANSWER: 5,
};

/** The lines to print, and the exit status. */
export const describe = (error: unknown): { lines: string[]; status: number } => {
  if (error instanceof ApiError) {
    const cause = error.cause instanceof Error ? (error.cause.cause ?? error.cause) : undefined;
    const lines = [
      `${error.code}: ${error.message}${cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : ''}`,
      error.code === 'UNAUTHORIZED'
        ? 'Set COMMONHALL_TOKEN to a valid API key when you give the URL, or use a profile with a key.'
        : error.remedy,
      ...(error.retryAfterSeconds === null ? [] : [`Retry after ${Math.ceil(error.retryAfterSeconds)} s.`]),
      ...(error.requestId === null ? [] : [`Request id: ${error.requestId}`]),
    ];
    return { lines: lines.map(printable), status: statusOf[error.code] ?? 1 };
  }
  // By its name: an installed client contains a class of its own.
  if (error instanceof UsageError || (error instanceof Error && error.name === 'ArgumentError'))
    return { lines: [printable(error.message)], status: 2 };
  return { lines: [printable(error instanceof Error ? error.message : String(error))], status: 1 };
};
