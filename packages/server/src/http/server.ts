// The HTTP server beneath the framework: its bounds, and what it rejects or closes by itself.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { maxHeaderBytes } from './early-failures.ts';
import { onePerConnection } from './pipelining.ts';
import type { SlowReaders } from './slow-readers.ts';

/** How long a caller may take to send its headers, or its whole request. */
const requestTimeoutMs = 10_000;
/** How long a response may take from the end of the headers: 30 s from the first byte, at the latest. */
const answerMs = 20_000;
const everyMs = 1000;

export interface Unanswered {
  /** A request that has no response in time: neither the parser nor a handler has ended it. */
  onLate: (response: ServerResponse) => void;
  /** CONNECT, which no request listener sees. */
  onConnect: (request: IncomingMessage, socket: Socket) => void;
}

/** Calls `onLate` for a response that has not begun in time. */
export const withDeadline = (
  handle: RequestListener,
  onLate: Unanswered['onLate'],
  withinMs = answerMs,
): RequestListener => {
  /** In the order of their start, so that a look ends at the first one that is in time. */
  const waiting = new Map<ServerResponse, number>();
  setInterval(() => {
    const before = performance.now() - withinMs + everyMs;
    for (const [response, began] of waiting) {
      if (began > before) break;
      waiting.delete(response);
      if (!response.headersSent) onLate(response);
    }
  }, everyMs).unref();
  return (request, response) => {
    waiting.set(response, performance.now());
    response.once('close', () => waiting.delete(response));
    handle(request, response);
  };
};

export const makeServer = (handle: RequestListener, slowReaders: SlowReaders, unanswered: Unanswered): Server => {
  const listener = onePerConnection(withDeadline(handle, unanswered.onLate), (socket) =>
    slowReaders.close('too many pipelined requests', socket),
  );
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1000,
      requireHostHeader: false, // our own 400 has the envelope
      optimizeEmptyRequests: true, // the body of a request without a length never ends: nothing may wait for it
    },
    listener,
  );
  // A caller that has closed its side still gets its response.
  (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
  server.on('checkExpectation', listener); // answered 417 like any other request
  server.on('connect', unanswered.onConnect);
  slowReaders.watch(server);
  return server;
};
