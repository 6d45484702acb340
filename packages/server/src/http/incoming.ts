// What a caller says of its own request, for the log: its request id, and the trace that the request is part of.
import type { IncomingHttpHeaders } from 'node:http';

/** A longer request id of a caller's own is not one. */
const incomingIdLength = 200;

/**
 * W3C Trace Context, 3.2: version, trace id, parent id (the caller's span), flags; lower case, ids not all zeros. Version
 * 00 ends there; of a later one, which may go on after a dash, these parts are read too; there is no version ff.
 */
const traceparentForm = /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-|$)/;

interface Trace {
  traceId?: string;
  parentId?: string;
}
const none: Trace = {};

/** Nothing for a header that is absent, malformed or given more than once: values that are joined do not match. */
export const traceOf = ({ traceparent }: IncomingHttpHeaders): Trace => {
  if (traceparent === undefined) return none;
  const [, traceId, parentId] = traceparentForm.exec(String(traceparent)) ?? [];
  return traceId === undefined || parentId === undefined ? none : { traceId, parentId };
};

export const incomingFacts = (headers: IncomingHttpHeaders): Trace & { incomingId?: string } => {
  const { 'x-request-id': id } = headers;
  const trace = traceOf(headers);
  return id === undefined ? trace : { incomingId: String(id).slice(0, incomingIdLength), ...trace };
};
