// A constant load that checks every response: its status, that the body is complete, and that it is that of the
// requested resource. Counts requests and failures.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from './calls.ts';
import { wrongContent } from './calls.ts';

export interface LoadOptions {
  /** The number of callers that reuse their connection, and of those that open a new one for each request. */
  keepAlive: number;
  fresh: number;
  /** The average pause of a caller between two requests. */
  pauseMs: number;
}

export interface Load {
  requests: () => number;
  /** Requests without the expected response. */
  failed: () => number;
  /** Those of the failed requests whose response had the wrong content, for example of another resource. */
  wrong: () => number;
  /** The first problems of both kinds, with their reasons. */
  problems: () => string[];
  percentileMs: (share: number) => number;
  /** Stops sending, and resolves when every running request has its response. */
  stop: () => Promise<void>;
}

interface Answer {
  status: number;
  body: string;
}
const silenceMs = 30_000;
const mostProblems = 10;

const ask = (url: string, { path, token }: Call, agent: Agent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const asked = request(url + path, { agent, headers, timeout: silenceMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject); // also for a truncated body
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer within half a minute')));
    asked.on('error', reject);
    asked.end();
  });

/** `how`: failed is a failure of the service, wrong is a response with the wrong content. */
interface Problem {
  how: 'failed' | 'wrong';
  text: string;
}
const problemOf = (call: Call, { status, body }: Answer): Problem | null => {
  const { expected } = call;
  const because = `${status} ${body.slice(0, 300)}`;
  if (status !== (expected?.status ?? 200)) return { how: 'failed', text: because };
  if (expected !== undefined) return body === expected.body ? null : { how: 'wrong', text: because };
  try {
    const reason = wrongContent(call, body);
    return reason === null ? null : { how: 'wrong', text: reason };
  } catch {
    return { how: 'failed', text: `is not JSON: ${because}` };
  }
};

export const startLoad = (url: string, calls: readonly Call[], options: LoadOptions): Load => {
  const times: number[] = [];
  const problems: Record<Problem['how'], string[]> = { wrong: [], failed: [] };
  const counts = { failed: 0, wrong: 0 };
  let isOver = false;
  const note = (call: Call, { how, text }: Problem) => {
    counts.failed += 1;
    if (how === 'wrong') counts.wrong += 1;
    if (problems[how].length < mostProblems) problems[how].push(`${new Date().toISOString()} ${call.path}: ${text}`);
  };
  const caller = async (agent: Agent) => {
    while (!isOver) {
      await sleep(Math.random() * 2 * options.pauseMs);
      const call = calls[Math.floor(Math.random() * calls.length)]!;
      const began = performance.now();
      try {
        const answer = await ask(url, call, agent);
        const problem = problemOf(call, answer);
        if (problem !== null) note(call, problem);
      } catch (error) {
        note(call, { how: 'failed', text: String(error) });
      }
      times.push(performance.now() - began);
    }
    agent.destroy();
  };
  const callers = [
    ...Array.from({ length: options.keepAlive }, () => caller(new Agent({ keepAlive: true, maxSockets: 1 }))),
    ...Array.from({ length: options.fresh }, () => caller(new Agent({ keepAlive: false }))),
  ];
  return {
    requests: () => times.length,
    failed: () => counts.failed,
    wrong: () => counts.wrong,
    problems: () => [...problems.wrong, ...problems.failed],
    percentileMs: (share) => {
      const sorted = Float64Array.from(times).sort();
      return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    },
    stop: async () => {
      isOver = true;
      await Promise.all(callers);
    },
  };
};

/** The figures in one line. */
export const loadLine = (load: Load): string => {
  const ms = (share: number) => `${Math.round(load.percentileMs(share) * 10) / 10} ms`;
  return `${load.requests()} requests, ${load.failed()} failed (${load.wrong()} with wrong content), median ${ms(0.5)}, p99 ${ms(0.99)}, longest ${ms(1)}`;
};
