// Routes of agents, and the raw registration file, which has no envelope (gap G14).
import { getAgent, getAgentMetadata, listAgents, registrationFilePath } from '@commonhall/contract/agents';
import type { FastifyInstance } from 'fastify';
import { cacheControl } from '../http/cache.ts';
import { freshBody } from '../http/encoding.ts';
import { notFound } from '../http/errors.ts';
import { linkHeader } from '../http/links.ts';
import { checkParams, parseQuery } from '../http/query.ts';
import { dbOf, getRoute, route, routerPath, sendBody } from '../http/route.ts';
import { findAgent, findAgentMetadata, findRegistrationFile, readAgents } from '../queries/agents.ts';

export const agentRoutes = (app: FastifyInstance): void => {
  const { config } = app.services;
  const alternate = (apiUrl: string, name: string) =>
    linkHeader({ alternate: apiUrl + registrationFilePath.replace('{name}', encodeURIComponent(name)) });

  route(app, listAgents, async ({ db, query, apiUrl }) => readAgents(db, query, apiUrl));

  route(app, getAgent, async ({ db, params, apiUrl, header }) => {
    const agent = (await findAgent(db, params.name, apiUrl)) ?? notFound('Agent');
    header('link', alternate(apiUrl, params.name));
    return agent;
  });

  route(app, getAgentMetadata, async ({ db, params, apiUrl, header }) => {
    const metadata = (await findAgentMetadata(db, params.name)) ?? notFound('Agent');
    header('link', alternate(apiUrl, params.name));
    return metadata;
  });

  getRoute<{ name: string }>(
    app,
    config.BASE_PATH + routerPath(registrationFilePath),
    { operation: 'getRegistrationFile', needsDatabase: true },
    async (request, reply) => {
      checkParams(request.params);
      parseQuery({}, request.url);
      const file = (await findRegistrationFile(dbOf(app, request, true), request.params.name)) ?? notFound('Agent');
      reply.header('cache-control', cacheControl('public', false, config.MAX_AGE_SECONDS, null));
      return sendBody(request, reply, freshBody(Buffer.from(file.json), config.COMPRESS_FROM_BYTES));
    },
  );
};
