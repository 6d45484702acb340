// Serves the operations as MCP tools over standard input and output, for agents on this machine. Tools call the client.
import type { Client } from '@commonhall/client';
import { ApiError } from '@commonhall/client';
import type { Ask } from '@commonhall/contract/tools';
import { callTool, toolServer, toolServerOptions, tools } from '@commonhall/contract/tools';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

/** Serves until standard input ends. */
export const serveTools = async (client: Client): Promise<void> => {
  const ask: Ask = async (id, args) => {
    try {
      return { data: await (client[id] as (given: typeof args) => Promise<unknown>)(args) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { code: error.code, error: error.message };
    }
  };
  serveStdio(() => {
    const server = new Server(toolServer, toolServerOptions);
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', ({ params }) => callTool(params, ask));
    return server;
  });
};
