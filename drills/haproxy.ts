// HAProxy with deploy/haproxy/haproxy.cfg, in front of the servers of a drill.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needPrograms, run } from '../test/debian.ts';
import { deployFile } from '../test/helpers/deploy-files.ts';
import { eventually } from '../test/helpers/process.ts';
import { freePort } from '../test/postgres.ts';
import { startProgram } from './programs.ts';

export interface Haproxy {
  url: string;
  /** The state of each server, in the order of `addresses`. */
  servers: () => Promise<{ isUp: boolean; retries: number; redispatches: number }[]>;
  /** Waits until HAProxy sends requests to a server. */
  hasUp: (index: number) => Promise<void>;
  log: () => string;
  stop: () => Promise<void>;
}

/** The three servers of the file. */
const places = ['server one 10.0.0.11:8080', 'server two 10.0.0.12:8080', 'server three 10.0.0.13:8080'] as const;
/** Lines that only work for root. */
const asRoot = ['user haproxy', 'group haproxy', 'chroot /var/lib/haproxy'].map((line) => `    ${line}\n`);

/** `addresses`: one to three, as host:port. */
export const startHaproxy = async (addresses: readonly string[]): Promise<Haproxy> => {
  needPrograms({ haproxy: 'haproxy' });
  assert.ok(addresses.length > 0 && addresses.length <= places.length);
  const [port, stats] = [await freePort(), await freePort()];
  const text = deployFile('haproxy/haproxy.cfg', [
    ['bind :80\n', `bind 127.0.0.1:${port}\n`],
    ['bind 127.0.0.1:8404', `bind 127.0.0.1:${stats}`],
    ...places.map((place, index): [string, string] => {
      const address = addresses[index];
      return [place, address === undefined ? '' : place.replace(/\S+$/, address)];
    }),
    ...(process.getuid?.() === 0 ? [] : asRoot.map((line): [string, string] => [line, ''])),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  // HAProxy accepts a file with warnings; the drill does not.
  assert.equal(run('sh', ['-c', 'haproxy -c -f "$1" 2>&1', 'sh', file]), 'Configuration file is valid');

  /** Reads the statistics page, which is CSV with a header line. */
  const servers = async () => {
    const answer = await fetch(`http://127.0.0.1:${stats}/stats;csv`);
    const [head = '', ...lines] = (await answer.text()).replace(/^# /, '').split('\n');
    const names = head.split(',');
    const rows = lines.map((line) => new Map(line.split(',').map((value, column) => [names[column], value])));
    return rows
      .filter((row) => row.get('pxname') === 'servers' && row.get('svname') !== 'BACKEND')
      .map((row) => ({
        isUp: row.get('status')?.startsWith('UP') === true,
        retries: Number(row.get('wretr')),
        redispatches: Number(row.get('wredis')),
      }));
  };
  const program = await startProgram('haproxy', ['-db', '-f', file], servers);
  const stop = async () => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    url: `http://127.0.0.1:${port}`,
    servers,
    hasUp: (index) =>
      eventually(async () => assert.ok((await servers())[index]?.isUp, `HAProxy does not have server ${index} up`)),
    log: program.log,
    stop,
  };
};
