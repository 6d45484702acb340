// `commonhall-api mcp` with the official MCP client over standard input and output, and with a real server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { populate } from '../../../test/helpers/community.ts';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { calls, tokens } = await populate(world);
const api = await world.serve();
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

for (const mode of ['legacy', { pin: '2026-07-28' }] as const)
  test(`every tool returns what its operation returns (${JSON.stringify(mode)})`, { timeout: 120_000 }, async () => {
    const env = { PATH: process.env.PATH!, COMMONHALL_URL: api.url, COMMONHALL_TOKEN: tokens.member };
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env }));
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), Object.keys(operations).sort());
    const member = api.as(tokens.member);
    for (const { id } of Object.values<Operation>(operations)) {
      const result = await client.callTool({ name: id, arguments: calls[id].visible });
      const expected = await (member[id] as (args: object) => Promise<unknown>)(calls[id].visible).catch(
        (error: Error & { code: string }) => `${error.code}: ${error.message}`,
      );
      const { text } = result.content[0] as { text: string };
      if (typeof expected === 'string') assert.ok(result.isError && text.startsWith(expected), `${id}: ${text}`);
      else assert.deepEqual(JSON.parse(text), expected, id);
    }
    const wrongs: [args: Record<string, unknown>, error: RegExp][] = [
      [{ limit: 1 }, /has no argument limit; it has page/],
      [{ page: '1' }, /page must be a whole number, not a text/],
      [{ pageSize: 500 }, /1 to 100/],
    ];
    for (const [args, error] of wrongs) {
      const wrong = await client.callTool({ name: 'listCollections', arguments: args });
      assert.equal(wrong.isError, true);
      assert.match((wrong.content[0] as { text: string }).text, error);
      assert.equal((wrong.structuredContent as { code: string }).code, 'VALIDATION_ERROR');
    }
    await client.close();
  });

test('calls under way are answered after standard input has ended; a line that is too long is an error', async () => {
  const run = async (input: string) => {
    const child = spawn(process.execPath, [main, 'mcp'], { env: { PATH: process.env.PATH!, COMMONHALL_URL: api.url } });
    child.stdin.on('error', () => {}); // it may exit before it has read everything
    child.stdin.end(input);
    const [output, errors] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
    return { output: output.join(''), errors: errors.join('') };
  };
  const line = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const clientInfo = { name: 'test', version: '1' };
  const opening = line(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  const calls = [2, 3, 4].map((id) => line(id, 'tools/call', { name: 'getScoreTiers', arguments: {} }));
  const { output } = await run(opening + calls.join(''));
  const ids = output
    .trim()
    .split('\n')
    .map((text) => (JSON.parse(text) as { id: number }).id);
  assert.deepEqual(ids.sort(), [1, 2, 3, 4]);
  assert.match((await run(`${opening}${'x'.repeat(11_000_000)}`)).errors, /^commonhall-api mcp: .+/);
});
