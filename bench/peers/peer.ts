// The interface of a peer: how to install and start it, its requests, and the check of its responses. The packages of a
// peer are in a scratch folder, so that none of them is a dependency of this project.
import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface PeerRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Peer {
  name: string;
  /** Installs exact versions into the folder, unless they are installed. */
  install: (folder: string) => void;
  /** Starts the server as a child process on the port; resolves when it responds. */
  start: (folder: string, databaseUrl: string, port: number) => Promise<ChildProcess>;
  requests: { A: (name: string) => PeerRequest; H: (address: string) => PeerRequest };
  /** Whether the response is correct, for a check before measuring. */
  isRight: (job: 'A' | 'H', body: string) => boolean;
}

/** The maximum number of database connections of a peer's server. */
export const connections = 4;

export const userFields = ['id', 'username', 'displayName', 'avatar', 'bio', 'status', 'tags'];

export const agentFields = [
  ...['id', 'name', 'displayName', 'agentId', 'bio', 'avatar', 'websiteUrl', 'services', 'active', 'x402Support'],
  ...['supportedTrust', 'registrations', 'socialAccounts', 'version', 'category', 'tags', 'status', 'lastSeenAt'],
  ...['createdAt', 'updatedAt', 'publishedAt'],
];

const environment = (more: Record<string, string>): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  ...more,
});

/** Runs a command in the folder with the Node of this process; the error contains its output. */
export const run = (folder: string, command: string, parameters: string[], more: Record<string, string> = {}): void => {
  try {
    execFileSync(command, parameters, { cwd: folder, env: environment(more), stdio: 'pipe', encoding: 'utf8' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${parameters.join(' ')} failed in ${folder}:\n${stdout}\n${stderr}`, { cause: error });
  }
};

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/** Writes the files, installs the packages and runs `after`, unless exactly these are installed already. */
export const installInto = (
  folder: string,
  dependencies: Record<string, string>,
  files: Record<string, string>,
  after: () => void = () => {},
): void => {
  const manifest = `${JSON.stringify({ private: true, type: 'module', dependencies }, null, 2)}\n`;
  const all: Record<string, string> = { 'package.json': manifest, ...files };
  const marker = join(folder, 'installed.json');
  const state = JSON.stringify(all);
  if (textOf(marker) === state) return;
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  run(folder, 'npm', ['install', '--no-audit', '--no-fund']);
  after();
  writeFileSync(marker, state);
};

/** Starts `server.js` of the folder and waits until it responds with any status. */
export const startServer = async (folder: string, databaseUrl: string, port: number): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['server.js'], {
    cwd: folder,
    env: environment({
      NODE_ENV: 'production',
      GRAPHILE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      PORT: `${port}`,
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-10_000);
  });
  for (let tries = 0; tries < 300; tries += 1) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5000) });
      await answer.text();
      return child;
    } catch {
      await sleep(200);
    }
  }
  child.kill('SIGKILL');
  throw new Error(`the server in ${folder} does not answer:\n${complaints}`);
};

type Fields = Record<string, unknown>;

const hasAll = (value: unknown, names: string[]): value is Fields =>
  typeof value === 'object' && value !== null && names.every((name) => (value as Fields)[name] !== undefined);

const isUser = (value: unknown): boolean =>
  hasAll(value, userFields) && typeof value.id === 'string' && Array.isArray(value.tags);

/** True for an agent with every public column and its owner. */
export const isAgent = (value: unknown): boolean =>
  hasAll(value, [...agentFields, 'owner']) &&
  typeof value.name === 'string' &&
  Array.isArray(value.services) &&
  Number.isFinite(Date.parse(String(value.createdAt))) &&
  isUser(value.owner);

/** True for a complete first page of holders with a consistent total. */
export const isHolders = (total: unknown, users: unknown): boolean =>
  typeof total === 'number' &&
  total > 0 &&
  Array.isArray(users) &&
  users.length === Math.min(20, total) &&
  new Set(users.map((user: Fields) => user.id)).size === users.length &&
  users.every(isUser);

const get = (path: string): PeerRequest => ({ method: 'GET', path, headers: { accept: 'application/json' } });

/** Shared by the peers with REST routes. */
export const rest: Pick<Peer, 'requests' | 'isRight'> = {
  requests: {
    A: (name) => get(`/agents/${encodeURIComponent(name)}`),
    H: (address) => get(`/collections/${encodeURIComponent(address)}/holders`),
  },
  isRight: (job, body) => {
    const answer = JSON.parse(body) as { total?: unknown; items?: unknown };
    return job === 'A' ? isAgent(answer) : isHolders(answer.total, answer.items);
  },
};
