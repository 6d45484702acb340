// POST /mcp with the official client: one tool for each operation, with the same data, errors, limits and access as the
// operation itself. Also the requests that the endpoint rejects.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { operations } from '@commonhall/contract';
import { errorRemedy } from '@commonhall/contract/errors';
import type { Operation } from '@commonhall/contract/operation';
import { urlOf } from '@commonhall/contract/url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { populate } from '../../../test/helpers/community.ts';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { calls, tokens } = await populate(world);
const api = await world.serve({ BASE_PATH: '/v1' });
const all = Object.values<Operation>(operations);

type Mode = 'legacy' | { pin: string };
const eras: Mode[] = ['legacy', { pin: '2026-07-28' }];

/** A client of the Model Context Protocol, as a program would use it. */
const open = async (token?: string, mode: Mode = { pin: '2026-07-28' }, url = api.url): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  return client;
};
const textOf = (result: Awaited<ReturnType<Client['callTool']>>): string => {
  const [first, second] = result.content as { type: string; text: string }[];
  assert.ok(first?.type === 'text' && second === undefined);
  return first.text;
};

test('in both protocol versions every operation is a read-only tool whose arguments the contract describes', async () => {
  for (const mode of eras) {
    const client = await open(undefined, mode);
    assert.deepEqual(client.getServerVersion()?.name, 'commonhall');
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), Object.keys(operations).sort());
    for (const { name, description, inputSchema, annotations } of tools) {
      const { params, query } = operations[name as keyof typeof operations] as Operation;
      assert.deepEqual(
        Object.keys(inputSchema.properties ?? {}),
        [...Object.keys(params), ...Object.keys(query)],
        name,
      );
      assert.deepEqual(inputSchema.required, [...Object.keys(params), ...(name === 'search' ? ['q'] : [])], name);
      assert.equal(inputSchema.additionalProperties, false);
      for (const schema of Object.values(inputSchema.properties ?? {}))
        assert.ok((schema as { description?: string }).description, name);
      assert.ok(description && annotations?.readOnlyHint);
    }
    await client.close();
  }
});

test('every tool returns what its operation returns, for visible, hidden and unknown rows and every caller', async () => {
  let compared = 0;
  for (const token of [undefined, tokens.member, tokens.author, tokens.stranger, tokens.god, tokens.exile]) {
    const client = await open(token);
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    for (const { id } of all)
      for (const args of [calls[id].visible, calls[id].hidden, calls[id].unknown]) {
        if (args === undefined) continue;
        const response = await api.get(urlOf('', id, args), { headers });
        const body = (await response.json()) as { data?: unknown; code: keyof typeof errorRemedy; error: string };
        const result = await client.callTool({ name: id, arguments: args });
        if (response.status === 200) assert.deepEqual(JSON.parse(textOf(result)), body.data, id);
        else assert.equal(textOf(result), `${body.code}: ${body.error}. ${errorRemedy[body.code]}`, id);
        assert.equal(result.isError ?? false, response.status !== 200, id);
        compared += 1;
      }
    await client.close();
  }
  assert.ok(compared > 300, `${compared} answers compared`);
});

test('an invalid tool call gets an error result that says what is wrong', async () => {
  const client = await open();
  const say = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    assert.equal(result.isError, true);
    const { success, error, code } = result.structuredContent as { success: boolean; error: string; code: string };
    assert.equal(success, false);
    assert.ok(textOf(result).startsWith(`${code}: ${error}`), textOf(result));
    return textOf(result);
  };
  assert.match(
    await say('listCollections', { limit: 5 }),
    /^VALIDATION_ERROR: listCollections has no argument limit; it has page, /,
  );
  assert.match(await say('listCollections', { pageSize: 500 }), /^VALIDATION_ERROR: .*1 to 100/);
  for (const page of [null, [1], '1', 1.5])
    assert.match(
      await say('listCollections', { page }),
      /^VALIDATION_ERROR: listCollections: page must be a whole number/,
    );
  assert.match(await say('listCollections', { isSbt: 'true' }), /isSbt must be true or false, not a text/);
  assert.match(await say('getAgent', { name: 5 }), /name must be a text/);
  assert.match(await say('getAgent', {}), /getAgent needs the argument name/);
  assert.match(await say('getAgent', { name: '..' }), /cannot be \.\./);
  assert.match(
    await say('constructor', {}),
    /^VALIDATION_ERROR: There is no tool "constructor"; tools\/list has them all\./,
  );
  await client.close();
});

const post = (body: string, headers: Record<string, string> = {}, at = api.url) =>
  fetch(`${at}/mcp`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  });
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const codeOf = async (response: Response): Promise<string> => {
  const body = (await response.json()) as { success: boolean; code: string };
  assert.deepEqual(Object.keys(body), ['success', 'error', 'code']);
  return `${response.status} ${body.code}`;
};

test('only POST of one JSON message up to 64 KiB is accepted, and not from pages of other origins', async () => {
  assert.equal((await post(ping)).status, 200);
  for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH']) {
    const response = await fetch(`${api.url}/mcp`, { method });
    assert.equal(response.status, 405, method);
    assert.equal(response.headers.get('allow'), 'POST, OPTIONS', method);
  }
  assert.equal(
    await codeOf(await fetch(`${api.url}/agents`, { method: 'POST', body: '{}' })),
    '405 METHOD_NOT_ALLOWED',
  );
  assert.equal(await codeOf(await fetch(`${api.url}/v1/mcp`, { method: 'POST' })), '405 METHOD_NOT_ALLOWED');
  const preflight = await fetch(`${api.url}/mcp`, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } });
  assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-methods')], [204, null]);

  assert.equal(await codeOf(await post(`[${ping}]`)), '400 VALIDATION_ERROR');
  assert.match(await (await post(`[${ping}]`)).text(), /batches are not served; send one JSON-RPC message/);
  assert.equal(await codeOf(await post('')), '400 VALIDATION_ERROR');
  assert.equal(await codeOf(await post('{')), '400 VALIDATION_ERROR');
  assert.equal(await codeOf(await post(ping, { 'content-type': 'text/plain' })), '400 VALIDATION_ERROR');
  const padded = (bytes: number) => ping.replace('{', `{${' '.repeat(bytes - ping.length)}`);
  assert.equal((await post(padded(65_536))).status, 200);
  assert.equal(await codeOf(await post(padded(65_537))), '413 VALIDATION_ERROR');
  assert.equal(
    await codeOf(
      await fetch(`${api.url}/mcp?x=1`, {
        method: 'POST',
        body: ping,
        headers: { 'content-type': 'application/json' },
      }),
    ),
    '400 VALIDATION_ERROR',
  );

  assert.equal(await codeOf(await post(ping, { origin: 'https://evil.example' })), '403 FORBIDDEN');
  assert.equal(await codeOf(await post(ping, { origin: 'null' })), '403 FORBIDDEN');
  assert.equal((await post(ping, { origin: api.url })).status, 200);
});

test('messages that are not valid calls never cause a 5xx or a stream that stays open', async () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const messages: [body: unknown, headers?: Record<string, string>][] = [
    [null],
    [1],
    [{}],
    [{ jsonrpc: '2.0', id: 1, method: 'no/such' }],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 5 } }],
    [{ jsonrpc: '2.0', id: 1, method: 'resources/list' }],
    [{ jsonrpc: '2.0', method: 'notifications/initialized' }],
    [{ jsonrpc: '2.0', id: 1, result: {} }],
    [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: { _meta: meta, notifications: { toolsListChanged: true } },
      },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    ],
  ];
  for (const [message, headers] of messages) {
    const response = await post(JSON.stringify(message), headers);
    const text = await response.text();
    assert.ok(response.status < 500, `${JSON.stringify(message)}: ${response.status} ${text}`);
    if (headers !== undefined) assert.match(text, /Subscription limit reached/);
  }
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getScoreTiers","arguments":${deep}}}`;
  assert.ok((await post(call)).status < 500);
});

test('a wrong value deep inside a message is not repeated in the response, and costs no more than a right one', async () => {
  const deep = `${'['.repeat(425)}1e999${']'.repeat(425)}`;
  const many = JSON.stringify(Array(20_000).fill(1));
  const client = '"clientInfo":{"name":"","version":""}';
  const meta = (value: string) =>
    `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"icons":${value}},"io.modelcontextprotocol/clientCapabilities":{"experimental":{"a":${value}}}}`;
  const hostile = [
    `"initialize","params":{"protocolVersion":"x","capabilities":{"elicitation":{"form":{"a":${deep}}}},${client}}`,
    `"initialize","params":{"protocolVersion":"x","capabilities":{"experimental":{"a":${deep}},"sampling":{"tools":${deep}}},${client}}`,
    `"initialize","params":{"protocolVersion":"x","capabilities":{},"clientInfo":{"name":"","version":"","icons":${many}}}`,
    `"tools/call","params":{"name":"getScoreTiers","arguments":{"a":${deep}}}`,
    `"tools/call","params":{"name":${deep},"arguments":${many}}`,
    `"tools/call","params":{"name":"${'x'.repeat(50_000)}","arguments":{"${'y'.repeat(10_000)}":1}}`,
    `"tools/call","params":{"name":"getScoreTiers","arguments":{"${'y'.repeat(50_000)}":1}}`,
    `"tools/call","params":{"name":"getScoreTiers","arguments":{"__proto__":1}}`,
    `"tools/list","params":{"cursor":${deep},"_meta":${meta(deep)}}`,
    `"constructor","params":{"a":${deep}}`,
    `"ping","result":${deep},"error":${many}`,
  ];
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  for (const message of hostile)
    for (const headers of [{}, modern]) {
      const response = await post(`{"jsonrpc":"2.0","id":1,"method":${message}}`, headers);
      const text = await response.text();
      const isList = message.startsWith('"tools/list"');
      assert.ok(response.status < 500 && (isList || text.length < 2000), `${message.slice(0, 60)}: ${text.length}`);
      assert.doesNotMatch(text, /RangeError|call stack/);
    }
});

test('a tool call is charged to the address of its caller and logged as its operation', async () => {
  const limited = await world.serve({ RATE_LIMIT_PER_ADDRESS: '40', TRUSTED_PROXIES: '127.0.0.1' });
  const search = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'listCollections', arguments: { q: 'a' } },
  });
  const from = async (address: string) => {
    const response = await post(search, { 'x-forwarded-for': address }, limited.url);
    return `${response.status} ${/"isError":true/.test(await response.text())}`;
  };
  assert.equal(await from('10.0.0.1'), '200 false'); // a search for one letter costs 20 and its database time
  for (let tries = 0; tries < 5; tries++) await from('10.0.0.1');
  assert.equal(await from('10.0.0.1'), '429 false');
  assert.equal(await from('10.0.0.2'), '200 false', 'another address has its own budget');
  const direct = await world.serve({ RATE_LIMIT_PER_ADDRESS: '40' });
  const forged = async (address: string) => (await post(search, { 'x-forwarded-for': address }, direct.url)).status;
  const statuses: number[] = [];
  for (let tries = 0; tries < 8; tries++) statuses.push(await forged(`10.0.1.${tries}`));
  assert.equal(statuses.at(-1), 429, 'without a trusted proxy X-Forwarded-For is ignored');
  const large = await world.serve({ RATE_LIMIT_PER_ADDRESS: '40' });
  const many = ping.replace('"id"', `"params":{"_meta":{"a":"${'x'.repeat(30_000)}"}},"id"`);
  assert.deepEqual([(await post(many, {}, large.url)).status, (await post(many, {}, large.url)).status], [200, 429]);
  const operationsSeen = limited.lines.map(({ operation }) => operation);
  assert.ok(operationsSeen.includes('listCollections') && operationsSeen.includes('mcp'));
});

/** Sends bytes and returns what is received until the connection is closed; `ends`: the client half-closes it. */
const exchange = async (bytes: string, ends = false): Promise<string> => {
  const { hostname, port } = new URL(api.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString();
  });
  socket.on('error', () => {});
  socket.write(bytes);
  if (ends) socket.end();
  await Promise.race([
    new Promise((resolve) => socket.once('close', resolve)),
    new Promise((resolve) => socket.once('end', resolve)),
    new Promise((_, reject) => setTimeout(reject, 90_000, new Error(`still open: ${received}`)).unref()),
  ]);
  socket.destroy();
  return received;
};

test('a body that is cut off, malformed or never arrives is rejected, and its connection is closed', {
  timeout: 180_000,
}, async () => {
  const head = 'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
  const cases: [bytes: string, ends: boolean, status: number][] = [
    [`${head}Content-Length: 100\r\n\r\n{`, false, 408],
    [`${head}Content-Length: 100\r\n\r\n{`, true, 400],
    [`${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{`, false, 400],
  ];
  await Promise.all(
    cases.map(async ([bytes, ends, status]) => {
      assert.match(await exchange(bytes, ends), new RegExp(`HTTP/1\\.1 ${status} `), bytes);
    }),
  );
});

test('a POST behind a GET is answered, or the response to the GET announces that the connection is closed', async () => {
  const get = 'GET /users/scores/tiers HTTP/1.1\r\nHost: a\r\n\r\n';
  const headers = `Host: a\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${ping.length}`;
  const post = `POST /mcp HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n${ping}`;
  const received = await exchange(get + post);
  assert.equal(received.split('HTTP/1.1 200').length - 1, 1, received);
  assert.match(received, /\r\nconnection: close\r\n/i);
  assert.match(await exchange(post), /HTTP\/1\.1 200 [\s\S]*"result"/);
});
