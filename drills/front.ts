// Checks HAProxy alone, in front of two servers that echo their requests: the caller's address cannot be forged, a
// request whose server closes the connection is sent to the other one, and HAProxy's own errors have the format of the
// API.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { errorStatus } from '../packages/contract/src/errors.ts';
import { eventually } from '../test/helpers/process.ts';
import { startHaproxy } from './haproxy.ts';

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: unknown;
}
/** Uses a new connection: on a reused one HAProxy would close it instead of responding, so that the caller retries. */
const ask = (url: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, (response) => {
      const { statusCode: status, headers: got } = response;
      json(response).then((body) => resolve({ status, headers: got, body }), reject);
    });
    asked.on('error', reject);
    asked.end();
  });

/** Returns the request headers; at some paths closes the connection without a response. */
const startEcho = async (...hangsUpAt: string[]) => {
  const server = createServer(({ url, headers, socket }, response) => {
    if (hangsUpAt.includes(url ?? '')) socket.destroy();
    else response.end(JSON.stringify({ headers, length: url?.length }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const checkFailure = ({ status, headers, body }: Answer): void => {
  const { error, ...rest } = body as { success: boolean; error: string; code: string };
  assert.ok(error.length > 0);
  assert.deepEqual(rest, { success: false, code: 'SERVICE_UNAVAILABLE' });
  assert.equal(status, errorStatus.SERVICE_UNAVAILABLE);
  assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    ['content-type', 'retry-after', 'cache-control', 'access-control-allow-origin'].map((name) => headers[name]),
    ['application/json; charset=utf-8', '1', 'no-store', '*'],
  );
};

export const checkFront = async (): Promise<void> => {
  const echoes = [await startEcho('/cut', '/cut-both'), await startEcho('/cut-both')];
  const { url, log, servers, stop } = await startHaproxy(echoes.map(({ address }) => address));
  try {
    const forged = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9' };
    const { headers } = (await ask(url, 'GET', forged)).body as { headers: IncomingHttpHeaders };
    assert.deepEqual([headers['x-forwarded-for'], headers.forwarded], ['127.0.0.1', undefined]);

    for (const method of ['GET', 'GET', 'POST', 'POST']) {
      assert.equal((await ask(`${url}/cut`, method)).status, 200, 'the other server answers');
      checkFailure(await ask(`${url}/cut-both`, method));
    }
    await eventually(() => assert.match(log(), /^127\.0\.0\.1:\d+ .* api servers\/\w+ .* 503 .* POST$/m));
    assert.doesNotMatch(log(), /cut/, 'no path is logged');
    const long = await ask(`${url}/${'x'.repeat(9000)}`, 'GET', { 'X-Long': 'y'.repeat(6000) });
    assert.deepEqual([long.status, (long.body as { length: number }).length], [200, 9001]);
    for (const { server } of echoes) {
      server.close();
      server.closeAllConnections();
    }
    // Before it notices that they are gone, HAProxy may close the caller's connection without a response.
    await eventually(async () =>
      assert.ok(
        (await servers()).every(({ isUp }) => !isUp),
        'HAProxy has no server',
      ),
    );
    checkFailure(await ask(url));
  } finally {
    await stop();
    for (const { server } of echoes) server.close();
  }
};
