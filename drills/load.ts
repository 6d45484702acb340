// Callers that ask all the time and check every answer: its status, that the body is whole, and that it is of the thing
// that was asked for. They count what they see.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from './calls.ts';
import { wrongThing } from './calls.ts';

export interface LoadOptions {
  /** Callers that keep their connection, and callers that open a new one for each request. */
  keepAlive: number;
  fresh: number;
  /** What a caller waits between two requests, on average. */
  pauseMs: number;
}

export interface Load {
  requests: () => number;
  /** Requests without the right answer. */
  failed: () => number;
  /** Those of them that were answered with something else than what was asked for. */
  wrong: () => number;
  /** The first of both kinds, each with its reason. */
  problems: () => string[];
  percentileMs: (share: number) => number;
  /** Ends when every request under way has its answer. */
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
      response.on('error', reject); // also a body that is cut off
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer within half a minute')));
    asked.on('error', reject);
    asked.end();
  });

/** `how`: as a failure of the service, or as an answer for something else. */
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
    const reason = wrongThing(call, body);
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
  return `${load.requests()} requests, ${load.failed()} failed (${load.wrong()} with another thing), median ${ms(0.5)}, p99 ${ms(0.99)}, longest ${ms(1)}`;
};
