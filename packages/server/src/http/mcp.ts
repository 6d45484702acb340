// POST /mcp: the operations as tools of the Model Context Protocol, over streamable HTTP without sessions (gap G4, the
// only path that takes a body). A tool call runs through the app as the GET of its operation: the same limits,
// parameters, credential and log line.
import { sitePaths } from '@commonhall/contract/site';
import type { Ask, Outcome } from '@commonhall/contract/tools';
import { callTool, toolServer, toolServerOptions, tools } from '@commonhall/contract/tools';
import { urlOf } from '@commonhall/contract/url';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { admit } from './admission.ts';
import { failure, invalid, invalidRequest } from './errors.ts';
import { headerValues } from './headers.ts';
import { usedParts } from './mcp-message.ts';
import { parseQuery } from './query.ts';
import { makeRoomFor, successStart } from './route.ts';

const maxBodyBytes = 65_536;
/** Reading and checking a message costs about a millisecond per kilobyte. */
const bytesPerUnit = 1024;

/** The caller's headers that the inner request needs. The address is passed on as already determined. */
const passedOn = ['authorization', 'host', 'traceparent', 'x-request-id'] as const;

const asker =
  (app: FastifyInstance, { raw, ip }: FastifyRequest): Ask =>
  async (id, args) => {
    const url = urlOf(app.services.config.BASE_PATH, id, args);
    const headers: Record<string, string[]> = {};
    for (const name of passedOn) {
      const values = headerValues(raw, name);
      if (values.length > 0) headers[name] = values;
    }
    try {
      // A closed connection has no address; without one the call would be charged to this machine.
      const { payload } = await app.inject({ method: 'GET', url, headers, remoteAddress: ip || '::' });
      // A page can be large: its data is passed on as it is, and not parsed.
      return payload.startsWith(successStart)
        ? { json: payload.slice(successStart.length, -1) }
        : (JSON.parse(payload) as Outcome);
    } catch {
      return { code: 'SERVICE_UNAVAILABLE', error: 'The service is stopping' };
    }
  };

/** Browsers send the origin of a page; only pages of this server may call tools (DNS rebinding). */
const checkOrigin = (origin: string | undefined, own: string): void => {
  if (origin === undefined || origin === new URL(own).origin) return;
  throw failure(
    'FORBIDDEN',
    'Pages of other origins may not call tools; call from a program, without an Origin header',
  );
};

export const mcpRoutes = (app: FastifyInstance): void => {
  const { apiUrl, limits } = app.services;
  void app.register(async (scope) => {
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => done(null, body));
    scope.setErrorHandler((error: { code?: string }) => {
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') throw invalidRequest(413);
      if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw invalid('the Content-Type must be application/json');
      throw error;
    });
    scope.post<{ Body: string }>(
      sitePaths.mcp,
      { config: { operation: 'mcp', readsTokens: true }, bodyLimit: maxBodyBytes },
      async (request, reply) => {
        checkOrigin(request.headers.origin, apiUrl());
        parseQuery({}, request.url);
        // Before it is parsed: a malformed message costs as much.
        await admit(limits, request, Math.ceil(Buffer.byteLength(request.body) / bytesPerUnit));
        const parsedBody = usedParts(request.body);
        const ask = asker(app, request);
        const handler = createMcpHandler(
          () => {
            const server = new Server(toolServer, toolServerOptions);
            server.setRequestHandler('tools/list', () => ({ tools }));
            server.setRequestHandler('tools/call', ({ params }) => callTool(params, ask));
            return server;
          },
          { maxSubscriptions: 0 }, // nothing stays open
        );
        const headers = new Headers();
        for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'])
          if (typeof request.headers[name] === 'string') headers.set(name, request.headers[name]);
        const url = new URL(sitePaths.mcp, apiUrl());
        const response = await handler.fetch(new Request(url, { method: 'POST', headers }), { parsedBody });
        const type = response.headers.get('content-type');
        if (type !== null) reply.header('content-type', type);
        const answer = Buffer.from(await response.arrayBuffer());
        makeRoomFor(request, answer.length);
        return reply.code(response.status).send(answer);
      },
    );
  });
};
