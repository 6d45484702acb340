// Error codes with their statuses and texts. Texts are for people and may change; codes and statuses may not.

export const errorStatus = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  SUBMISSIONS_HIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CURSOR_EXPIRED: 410,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Other statuses of VALIDATION_ERROR, for requests that fail before their parameters are read (gap G4). */
export const validationStatuses = {
  408: 'The request took too long to arrive.',
  413: 'The body is larger than 64 KiB.',
  414: 'The URL is longer than 8 KiB.',
  417: 'The Expect header is not supported.',
  431: 'The request headers are too large.',
} as const;

export const errorMeaning: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'A parameter name or value, the path or an escape in it is wrong; the text names it.',
  UNAUTHORIZED: 'This operation needs a valid credential, or the one sent is not valid.',
  FORBIDDEN: 'The caller is known, but their role is too low.',
  SUBMISSIONS_HIDDEN: 'The bounty does not show its submissions now.',
  NOT_FOUND: 'There is no such thing, or it is not public.',
  METHOD_NOT_ALLOWED: 'Only GET, HEAD and OPTIONS are served.',
  CURSOR_EXPIRED: 'The cursor of /changes is too old, or the database was restored.',
  RATE_LIMITED: 'Too many requests; wait as long as Retry-After says.',
  INTERNAL_ERROR: 'A fault of the service.',
  SERVICE_UNAVAILABLE: 'The service cannot answer now; try again after Retry-After.',
};

/** What a caller can do about a failure. */
export const errorRemedy: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'Correct the request as the message says.',
  UNAUTHORIZED: 'Send an API key that is valid: Authorization: Bearer <key>.',
  FORBIDDEN: 'Ask an owner of the sponsor for a higher role, or use the key of a member.',
  SUBMISSIONS_HIDDEN: 'Wait until the sponsor shows the submissions.',
  NOT_FOUND: 'Check the id, slug or name; they are case-sensitive.',
  METHOD_NOT_ALLOWED: 'Use GET.',
  CURSOR_EXPIRED: 'Empty the copy and begin again, without a cursor.',
  RATE_LIMITED: 'Wait as long as Retry-After says, and send fewer requests.',
  INTERNAL_ERROR: 'Report it to the operator with the request id.',
  SERVICE_UNAVAILABLE: 'Try again after the time in Retry-After.',
};

/** The failures that every operation may return, besides its own (gap G5). */
export const commonFailures = [
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies ErrorCode[];
export const commonValidationStatuses = [414, 431] as const satisfies (keyof typeof validationStatuses)[];
