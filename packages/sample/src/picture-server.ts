// Serves the pictures of the sample data: only GET and HEAD of SVG files, which are generated for each request.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pictureOf } from './pictures.ts';

const common = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'X-Content-Type-Options': 'nosniff',
};

const answer = (request: IncomingMessage, response: ServerResponse): void => {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const picture = isRead ? pictureOf(request.url ?? '') : null;
  const headers =
    picture === null
      ? { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
      : { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' };
  const body = picture ?? 'There is no such picture.\n';
  response.writeHead(picture === null ? 404 : 200, {
    ...common,
    ...headers,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
};

/** Listens on the loopback address; port 0 chooses a free port. */
export const openPictures = async (port: number): Promise<{ url: string; stop: () => Promise<void> }> => {
  const server = createServer({ requestTimeout: 10_000 }, answer);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
