// Parses the files of Prometheus and Grafana and the text of /metrics, just enough to compare their metrics. promtool
// checks whether they are valid.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

export interface Alert {
  name: string;
  expr: string;
  for: string;
  severity: string;
  /** The lines of summary, description and runbook; folded lines are not joined. */
  annotations: string;
  runbook: string;
}
export const readAlerts = (): Alert[] =>
  read('deploy/prometheus/alerts.yaml')
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((text) => {
      const of = (pattern: RegExp) => pattern.exec(text)?.[1]?.trim() ?? '';
      return {
        name: of(/^(\w+)/),
        expr: of(/^ {8}expr: \|\n((?: {10}.*\n)+)/m) || of(/^ {8}expr: (.*)$/m),
        for: of(/^ {8}for: (.*)$/m),
        severity: of(/^ {8}labels: \{ severity: (\w+) \}$/m),
        annotations: of(/^ {8}annotations:\n((?: {10}.*\n)+)/m),
        runbook: of(/^ {10}runbook: (.*)$/m),
      };
    });

export interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: { defaults: { unit?: string } };
  datasource?: { uid: string };
  targets?: { expr: string; datasource: { uid: string } }[];
}
export const readPanels = (): Panel[] =>
  (JSON.parse(read('deploy/grafana/commonhall.json')) as { panels: Panel[] }).panels;

/** An expression of the dashboard with Grafana's variables filled in. */
export const filledIn = (expr: string, rateInterval: string): string =>
  expr.replaceAll('$__rate_interval', rateInterval).replaceAll('$job', 'commonhall').replaceAll('$instance', '.*');

/** The series of a metrics text: name → label → values. */
export const seriesIn = (text: string): Map<string, Map<string, Set<string>>> => {
  const series = new Map<string, Map<string, Set<string>>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = series.get(name) ?? new Map<string, Set<string>>();
    series.set(name, known);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g))
      known.set(label, (known.get(label) ?? new Set()).add(value));
  }
  return series;
};

const operators = /^(and|or|unless|offset|bool)$/;
const clause = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;

/** The metrics that an expression reads, with the labels that it compares, and the labels it groups or joins by. */
export const readBy = (expr: string) => {
  const grouped = [...expr.matchAll(clause)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()));
  const rest = expr.replace(clause, '').replace(/\[[^\]]*\]/g, '');
  const metrics = [...rest.matchAll(/(?<![\w.$"])([a-z_]\w*)\s*(\{[^}]*\}|\()?/gi)]
    .filter(([, name = '', next = '']) => next !== '(' && !operators.test(name))
    .map(([, name = '', matchers = '']) => ({
      name,
      matchers: [...matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(
        ([, label = '', how = '', value = '']) => ({
          label,
          value: how === '=' ? value : null,
        }),
      ),
    }));
  return { metrics, grouped: grouped.filter((label) => label !== '') };
};
