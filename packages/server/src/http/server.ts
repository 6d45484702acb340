// The HTTP server beneath the framework: its bounds, and what it rejects or closes by itself.
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { maxHeaderBytes } from './early-failures.ts';
import { onePerConnection } from './pipelining.ts';
import type { SlowReaders } from './slow-readers.ts';

/** How long a caller may take to send its headers, or its whole request. */
const patienceMs = 10_000;

export const makeServer = (handle: RequestListener, slowReaders: SlowReaders): Server => {
  const listener = onePerConnection(handle, (socket) => slowReaders.close('too many pipelined requests', socket));
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      requestTimeout: patienceMs,
      headersTimeout: patienceMs,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1000,
      requireHostHeader: false, // our own 400 has the envelope
      optimizeEmptyRequests: true, // only requests at /mcp have a body
    },
    listener,
  );
  // A caller that has closed its side still gets its response.
  (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
  server.on('checkExpectation', listener); // answered 417 like any other request
  slowReaders.watch(server);
  return server;
};
