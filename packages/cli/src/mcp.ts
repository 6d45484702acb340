// Serves the operations as MCP tools over standard input and output, for agents on this machine. Tools call the client.
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Client } from '@commonhall/client';
import { ApiError } from '@commonhall/client';
import type { Ask } from '@commonhall/contract/tools';
import { callTool, toolServer, toolServerOptions, tools } from '@commonhall/contract/tools';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

/** Serves until standard input ends and the calls under way are answered. */
export const serveTools = async (client: Client): Promise<void> => {
  const ask: Ask = async (id, args) => {
    try {
      return { data: await (client[id] as (given: typeof args) => Promise<unknown>)(args) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { code: error.code, error: error.message };
    }
  };
  // The library drops the calls under way at the end of its input: it gets that end when there are none.
  const input = new PassThrough();
  const underWay = new Set<Promise<unknown>>();
  process.stdin.on('data', (chunk: Buffer) => input.write(chunk));
  process.stdin.once('end', async () => {
    await setImmediate(); // the last lines have been read, but not yet handled
    while (underWay.size > 0) await Promise.allSettled(underWay).then(() => setImmediate());
    input.end();
  });
  serveStdio(
    () => {
      const server = new Server(toolServer, toolServerOptions);
      server.setRequestHandler('tools/list', () => ({ tools }));
      server.setRequestHandler('tools/call', ({ params }) => {
        const call = callTool(params, ask);
        underWay.add(call);
        void call.finally(() => underWay.delete(call)).catch(() => {});
        return call;
      });
      return server;
    },
    {
      transport: new StdioServerTransport(input, process.stdout),
      onerror: ({ message }) => console.error(`commonhall-api mcp: ${message}`),
    },
  );
};
