// What a caller reports about its own request, for the log: its request id, and the trace that the request is part of.
import type { IncomingHttpHeaders } from 'node:http';

/** A caller's request id is truncated to this length. */
const incomingIdLength = 200;
/** Anything else could be a control code for the terminal that shows the log. */
const unprintable = /[^\x20-\x7e]/g;

/**
 * W3C Trace Context, 3.2: version, trace id, parent id (the caller's span), flags; lower case, ids not all zeros.
 * Version 00 ends there. A later version may continue after a dash; the same parts are read. There is no version ff.
 */
const traceparentForm = /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-|$)/;

interface Trace {
  traceId?: string;
  parentId?: string;
}
const none: Trace = {};

/** Empty for a header that is absent, malformed or given more than once: joined values do not match. */
export const traceOf = ({ traceparent }: IncomingHttpHeaders): Trace => {
  if (traceparent === undefined) return none;
  const [, traceId, parentId] = traceparentForm.exec(String(traceparent)) ?? [];
  return traceId === undefined || parentId === undefined ? none : { traceId, parentId };
};

export const incomingFacts = (headers: IncomingHttpHeaders): Trace & { incomingId?: string } => {
  const { 'x-request-id': id } = headers;
  const trace = traceOf(headers);
  return id === undefined
    ? trace
    : { incomingId: String(id).slice(0, incomingIdLength).replace(unprintable, '?'), ...trace };
};
