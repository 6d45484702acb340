// Follows docs/alerts.md: runs the commands that a section prints, on one server, and waits for the alert to fire and
// to end in Prometheus.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerProcess } from '../test/helpers/process.ts';
import { eventually } from '../test/helpers/process.ts';
import { withCommonhall } from './printed.ts';
import type { Prometheus } from './prometheus.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
/** The limit for an alert to fire or to end; a slow machine needs longer. */
const withinMs = 90_000;

/** The server that replaces the one in the document's commands. */
export interface Place {
  server: ServerProcess;
  databaseUrl: string;
  logFile: string;
  replicaUrl?: string;
}

/** The commands of a section before or after "Do.", whose placeholders (<name>) are exactly the keys of `found`. */
const commandsOf = (alert: string, part: 'Look' | 'Do', found: Record<string, string>): string[] => {
  const section = readFileSync(join(root, 'docs/alerts.md'), 'utf8').split(`\n## ${alert}\n`)[1]!.split('\n## ')[0]!;
  const [before = '', after = ''] = section.split('**Do.**');
  const blocks = (part === 'Look' ? before : after).matchAll(/^```sh\n([\s\S]*?)^```$/gm);
  const wanted = String(Object.keys(found).sort());
  const needs = (command: string) => [...new Set([...command.matchAll(/<(\w+)>/g)].map(([, name]) => name))].sort();
  const commands = [...blocks]
    .flatMap(([, text = '']) => text.trim().split('\n'))
    .filter((command) => String(needs(command)) === wanted);
  assert.ok(commands.length > 0, `${alert} prints no command under ${part} for what was found: ${wanted}`);
  return commands;
};

/** Returns the output of the command, stdout and stderr. The command may fail: a part may be down on purpose. */
const runAt = async (place: Place, command: string, found: Record<string, string>): Promise<string> => {
  const { server, databaseUrl, logFile, replicaUrl } = place;
  const [url, metricsUrl] = [new URL(server.url), new URL(server.metricsUrl)];
  let text = command
    .replaceAll('127.0.0.1:9464', metricsUrl.host)
    .replaceAll(':8080', `:${url.port}`)
    .replaceAll('commonhall.log', logFile);
  for (const [name, value] of Object.entries(found)) text = text.replaceAll(`<${name}>`, value);
  const env = { ...process.env, DATABASE_URL: databaseUrl, REPLICA_URL: replicaUrl };
  const child = spawn('sh', ['-c', text], { cwd: root, env: withCommonhall(env) });
  let printed = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const [status] = (await once(child, 'close')) as [number | null];
  assert.ok(status !== 126 && status !== 127, `${text}: ${printed}`);
  return printed;
};

export const openRunbook = (prometheus: Prometheus) => {
  const fired = new Set<string>();
  const follow = async (alert: string, part: 'Look' | 'Do', place: Place, found: Record<string, string>) => {
    let printed = '';
    for (const command of commandsOf(alert, part, found)) printed += await runAt(place, command, found);
    return printed;
  };
  return {
    /** The alerts that have fired so far. */
    fired,
    /** Waits until the alert fires, and checks that the commands of its section print the cause. */
    fires: async (alert: string, place: Place, cause: RegExp): Promise<string> => {
      const asked = performance.now();
      await eventually(async () => assert.ok((await prometheus.firing()).includes(alert), `${alert} fires`), withinMs);
      const seconds = (performance.now() - asked) / 1000;
      // Log lines are written shortly after the event.
      const printed = await eventually(async () => {
        const now = await follow(alert, 'Look', place, {});
        assert.match(now, cause, alert);
        return now;
      }, 5000);
      fired.add(alert);
      console.log(`${alert} fires after ${seconds.toFixed(1)} s; its section shows the cause`);
      return printed;
    },
    /** The output of the commands of a section. */
    look: (alert: string, place: Place) => follow(alert, 'Look', place, {}),
    /** Runs the commands of a section's remedy. */
    remedy: (alert: string, place: Place, found: Record<string, string>) => follow(alert, 'Do', place, found),
    ends: async (...alerts: string[]): Promise<void> => {
      const asked = performance.now();
      await eventually(async () => {
        const firing = await prometheus.firing();
        for (const alert of alerts) assert.ok(!firing.includes(alert), `${alert} ends`);
      }, withinMs);
      console.log(`${alerts.join(', ')}: over ${((performance.now() - asked) / 1000).toFixed(1)} s after the remedy`);
    },
    allEnd: () => eventually(async () => assert.deepEqual(await prometheus.firing(), []), withinMs),
  };
};
