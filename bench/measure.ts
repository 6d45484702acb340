// One sample of a load: wrk for HTTP, pgbench for statements. A sample has throughput, latency and CPU time. Samples
// with more than 4 % steal time (CPU that the hypervisor gave to other machines) are repeated.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childrenOf, readProcess } from '../test/descendants.ts';

export interface Sample {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU microseconds per request: of the server, and of PostgreSQL. */
  serverMicros: number;
  databaseMicros: number;
}

const run = promisify(execFile);
const file = (name: string): string => join(tmpdir(), `commonhall-bench-${process.pid}-${name}`);

const ticksOf = (pid: number): number => readProcess(pid)?.ticks ?? 0;
/** Of a process and its workers. */
const serverTicks = (pid: number | null): number =>
  pid === null ? 0 : [pid, ...childrenOf(pid)].reduce((sum, one) => sum + ticksOf(one), 0);
const postgresTicks = (postmaster: number): number =>
  childrenOf(postmaster).reduce((sum, pid) => sum + ticksOf(pid), 0);
const machine = (): { all: number; stolen: number } => {
  const ticks = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.trim().split(/\s+/).slice(1).map(Number);
  return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[7] ?? 0 };
};

const measured = async (
  processes: { server: number | null; postmaster: number },
  load: () => Promise<{ perSecond: number; p50Ms: number; p99Ms: number; count: number }>,
): Promise<Sample> => {
  for (let tries = 0; ; tries++) {
    const before = machine();
    const server = serverTicks(processes.server);
    const database = postgresTicks(processes.postmaster);
    const { count, ...figures } = await load();
    const now = machine();
    if ((now.stolen - before.stolen) / (now.all - before.all) > 0.04 && tries < 5) continue;
    const micros = (ticks: number) => (ticks * 10_000) / Math.max(1, count);
    return {
      ...figures,
      serverMicros: micros(serverTicks(processes.server) - server),
      databaseMicros: micros(Math.max(0, postgresTicks(processes.postmaster) - database)),
    };
  }
};

export interface HttpLoad {
  url: string;
  requests: readonly { method: string; path: string; headers?: Record<string, string>; body?: string | undefined }[];
  connections?: number;
  seconds: number;
}

const lua = (value: string): string => JSON.stringify(value).replaceAll('\\u', '\\\\u');

/** Random requests from a list, by default on 32 connections, each sending its next request when it has a response. */
export const httpSample = (
  { url, requests, connections = 32, seconds }: HttpLoad,
  processes: { server: number | null; postmaster: number },
): Promise<Sample> => {
  const script = file('wrk.lua');
  const lines = requests.map(({ method, path, headers = {}, body }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[${lua(name)}]=${lua(value)}`);
    return `r[#r+1] = wrk.format(${lua(method)}, ${lua(path)}, {${fields.join(',')}}, ${body === undefined ? 'nil' : lua(body)})`;
  });
  writeFileSync(
    script,
    `local r = {}\ninit = function()\n math.randomseed(os.time())\n${lines.join('\n')}\nend\nrequest = function() return r[math.random(#r)] end\n`,
  );
  return measured(processes, async () => {
    const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '--latency', '-s', script, url];
    const { stdout } = await run('wrk', flags);
    if (/Non-2xx/.test(stdout)) throw new Error(stdout);
    const ms = (at: string): number => {
      const [, value, unit] = new RegExp(`${at}%\\s+([\\d.]+)(us|ms|s)`).exec(stdout) ?? [];
      return Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit as 'ms']!;
    };
    return {
      perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
      count: Number(/(\d+) requests in/.exec(stdout)?.[1]),
      p50Ms: ms('50'),
      p99Ms: ms('99'),
    };
  });
};

/** The prepared statements of a script, run by 4 clients. */
export const pgbenchSample = (
  {
    url,
    script,
    variables,
    mode,
    seconds,
  }: { url: string; script: string; variables: string[]; mode: string; seconds: number },
  processes: { server: null; postmaster: number },
): Promise<Sample> => {
  const path = file('pgbench.sql');
  writeFileSync(path, script);
  const { hostname, port, username, pathname } = new URL(url);
  return measured(processes, async () => {
    const flags = ['-n', '-M', 'prepared', '-c', '4', '-j', '1', '-T', String(seconds), '-f', path, ...variables];
    const { stdout } = await run('pgbench', ['-h', hostname, '-p', port, '-U', username, ...flags, pathname.slice(1)], {
      env: { ...process.env, PGOPTIONS: `-c plan_cache_mode=${mode} -c jit=off -c work_mem=16MB` },
    });
    return {
      perSecond: Number(/tps = ([\d.]+)/.exec(stdout)?.[1]),
      count: Number(/actually processed: (\d+)/.exec(stdout)?.[1]),
      p50Ms: Number(/latency average = ([\d.]+)/.exec(stdout)?.[1]),
      p99Ms: Number.NaN,
    };
  });
};

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};
export const medianSample = (samples: readonly Sample[]): Sample => ({
  perSecond: median(samples.map(({ perSecond }) => perSecond)),
  p50Ms: median(samples.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(samples.map(({ p99Ms }) => p99Ms)),
  serverMicros: median(samples.map(({ serverMicros }) => serverMicros)),
  databaseMicros: median(samples.map(({ databaseMicros }) => databaseMicros)),
});
