// What an operation announces about itself: that it is experimental, or that it will be removed. The same in headers and in
// the OpenAPI document.

/** Whole days, `2027-01-31`: at least twelve months apart. */
export interface Deprecation {
  announced: string;
  removed: string;
}
export interface Notices {
  /** It may still change within a major version. */
  stability?: 'experimental';
  deprecation?: Deprecation;
}

const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;

/** The headers of every response of the operation: RFC 9745, RFC 8594. Empty: it is stable and stays. */
export const noticeHeaders = ({ stability, deprecation }: Notices): Record<string, string> => ({
  ...(stability === undefined ? {} : { 'commonhall-stability': stability }),
  ...(deprecation === undefined
    ? {}
    : {
        deprecation: `@${secondsOf(deprecation.announced)}`,
        sunset: new Date(secondsOf(deprecation.removed) * 1000).toUTCString(),
      }),
});

/** In the OpenAPI document. */
export const noticeKeys = ({ stability, deprecation }: Notices): Record<string, unknown> => ({
  ...(stability === undefined ? {} : { 'x-stability': stability }),
  ...(deprecation === undefined ? {} : { deprecated: true, 'x-sunset': deprecation.removed }),
});
