// Prometheus on loopback with the alerts of deploy/prometheus, sped up: a minute becomes a second, an hour 15 seconds.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../test/helpers/process.ts';
import { filledIn, readPanels } from '../test/helpers/promql.ts';
import { freePort } from '../test/postgres.ts';
import { startProgram } from './programs.ts';

const rules = fileURLToPath(new URL('../deploy/prometheus/alerts.yaml', import.meta.url));
const quicker = (text: string): string =>
  text
    .replace('_unreachable_seconds) > 60', '_unreachable_seconds) > 1')
    .replace(/(for: |\[|offset )(\d+)(m|h)\b/g, (_, before: string, count: string, unit: string) => {
      return `${before}${Number(count) * (unit === 'h' ? 15 : 1)}s`;
    });

export interface Prometheus {
  /** The names of the firing alerts. */
  firing: () => Promise<string[]>;
  /** Resolves when every query of the dashboard returns data, except those that match `except`. */
  dashboardHasData: (except?: RegExp) => Promise<void>;
  stop: () => Promise<void>;
}

export const startPrometheus = async (folder: string, targets: readonly string[]): Promise<Prometheus> => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'alerts.yaml'), quicker(readFileSync(rules, 'utf8')));
  const config = {
    global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' },
    rule_files: ['alerts.yaml'],
    scrape_configs: [{ job_name: 'commonhall', static_configs: [{ targets }] }],
  };
  writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(config)); // JSON is YAML
  const port = await freePort();
  const ask = async <T>(path: string): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return (JSON.parse(text) as { data: T }).data;
  };
  const args = [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ];
  const { stop } = await startProgram('prometheus', args, () => ask('alerts'));
  return {
    firing: async () => {
      const { alerts } = await ask<{ alerts: { labels: { alertname: string }; state: string }[] }>('alerts');
      const names = alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
      return [...new Set(names)].sort();
    },
    dashboardHasData: async (except) => {
      const expressions = readPanels().flatMap(({ targets = [] }) => targets.map(({ expr }) => filledIn(expr, '5s')));
      for (const expr of expressions.filter((each) => !except?.test(each)))
        await eventually(async () => {
          const { result } = await ask<{ result: unknown[] }>(`query?query=${encodeURIComponent(expr)}`);
          if (result.length === 0) throw new Error(`this query of the dashboard returns no data: ${expr}`);
        });
    },
    stop,
  };
};
