// The record of each request: one log line, and the same facts as metrics. Also of what no hook sees: requests that are
// rejected early, and connections that are closed.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import { refuse } from './admission.ts';
import type { Refused } from './early-failures.ts';
import { isPreflight } from './early-failures.ts';
import type { ApiFailure } from './errors.ts';
import { gateOf } from './errors.ts';
import { incomingFacts } from './incoming.ts';
import type { Limits } from './limits.ts';
import { addressKey } from './limits.ts';
import type { Metrics, RequestFacts } from './metrics.ts';
import { onceASecond } from './once-a-second.ts';
import type { Closed } from './slow-readers.ts';

export interface Recording {
  /** Records the response to a request, once. */
  response: (request: FastifyRequest, reply: FastifyReply, status: number, bytes: number) => void;
  /** Rejects a request that no hook sees. It still counts against the rate limit. */
  refused: Refused;
  closed: (closed: Closed) => void;
  stop: () => void;
}

/** Not rate limited, so logging them would let a caller fill the log. A change of readiness has its own line. */
export const isUnlogged = ({ raw, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config?.isFree === true || isPreflight(raw);

export const openRecording = (log: Log, metrics: Metrics, limits: Limits): Recording => {
  const limited = onceASecond((count) =>
    log.info({ code: 'RATE_LIMITED', count }, 'more requests of one caller were over its limit'),
  );
  const closings = onceASecond((count) => log.warn({ count }, 'more connections of one caller were closed'));
  const isOverLimit = (failure: ApiFailure | null): failure is ApiFailure => failure?.code === 'RATE_LIMITED';

  /** Never records a path: it may contain private names. */
  const record = (
    requestId: string,
    headers: IncomingHttpHeaders,
    facts: Partial<RequestFacts>,
    failure: ApiFailure | null,
    isLogged = true,
  ) => {
    const none = { operation: 'none', status: 0, ms: 0, databaseMs: 0, waitingMs: 0, bytes: 0 };
    const all = { ...none, ...facts, code: failure?.code ?? '' };
    const gate = gateOf(failure);
    metrics.observe(all);
    if (gate !== null) metrics.refused(gate);
    if (!isLogged || !log.isLevelEnabled('info')) return;
    if (isOverLimit(failure) && !limited.takes((failure.cause as { account: string }).account)) return;
    const round = (ms: number) => Math.round(ms * 1000) / 1000;
    const times = { ms: round(all.ms), databaseMs: round(all.databaseMs), waitingMs: round(all.waitingMs) };
    log.info({ requestId, ...incomingFacts(headers), ...all, ...times, ...(gate === null ? {} : { gate }) }, 'request');
  };

  return {
    response: (request, reply, status, bytes) => {
      if (request.isRecorded) return;
      request.isRecorded = true;
      const operation = request.routeOptions.config?.operation ?? 'none';
      const facts = { operation, status, ms: reply.elapsedTime, ...request.timing, bytes };
      record(request.id, request.headers, facts, request.failure, !isUnlogged(request));
    },
    refused: async (address, failure, respond, headers = {}) => {
      const final = await refuse(limits, address ?? '', failure);
      const requestId = randomUUID();
      respond(final, requestId);
      record(requestId, headers, { status: final.status }, final);
    },
    closed: (closed) => {
      metrics.closed(closed.reason);
      const address = addressKey(closed.address);
      // Its requests may all have been free.
      const account = closed.reason === 'too many pipelined requests' ? limits.accountOf(address, null) : null;
      if (account !== null) void limits.charge(account, 1);
      if (closings.takes(`${closed.reason} ${address}`)) log.warn(closed, 'connection closed');
    },
    stop: () => {
      limited.stop();
      closings.stop();
    },
  };
};
