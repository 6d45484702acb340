// Monitoring: the metrics are valid, alerts and dashboard read only metrics and labels that a running server exposes,
// every alert fires when it should and has a section in docs/alerts.md.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { errorStatus } from '@commonhall/contract/errors';
import { needPrograms, run } from '../../../test/debian.ts';
import { eventually } from '../../../test/helpers/process.ts';
import { filledIn, readAlerts, readBy, readPanels, seriesIn } from '../../../test/helpers/promql.ts';
import { createWorld } from '../../../test/helpers/world.ts';

needPrograms({ promtool: 'prometheus' });
const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');
const world = await createWorld();
// The URL is not of a replica, so its lag is never measured, but the metrics of replicas are exposed.
const api = await world.serve({ REPLICA_URLS: world.readerUrl });
const alerts = readAlerts();
const panels = readPanels();
const docs = globSync('docs/*.md', { cwd: root });

/** Names in the docs that look like metrics but are roles, databases or views. */
const notMetrics = [
  'commonhall_reader',
  'commonhall_server',
  'commonhall_key_writer',
  'commonhall_keys',
  'commonhall_new',
  'commonhall_feed',
];

/** /metrics of a server that has answered requests and follows a feed. */
const metricsText = await (async () => {
  await world.owner.query(`
    begin; select take_writer_lock();
    update feed set stream = 'COMMONHALL', sequence = 7, as_of = api_now();
    commit`);
  for (const path of ['/contests', '/contests?pageSize=100', '/nowhere', '/status']) await api.get(path);
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return (await fetch(`${api.metricsUrl}/metrics`)).text();
})();
const series = seriesIn(metricsText);
series.set('commonhall_replica_lag_seconds', new Map([['replica', new Set()]])); // replicas.system.test.ts tests it with a real replica
const exposed = [...metricsText.matchAll(/^# TYPE (commonhall_\w+) /gm)].map(([, name]) => name!);

const expressions = [
  ...alerts.map(({ name, expr }) => ({ where: name, expr })),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: title, expr }))),
];

test('promtool check metrics reports no problem', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: metricsText,
    encoding: 'utf8',
  });
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
});

test('commonhall_ready agrees with /readyz', async () => {
  const becomes = (status: number, line: RegExp) =>
    eventually(async () => {
      assert.equal((await fetch(`${api.url}/readyz`)).status, status);
      assert.match(await (await fetch(`${api.metricsUrl}/metrics`)).text(), line);
    });
  await becomes(200, /^commonhall_ready 1$/m);
  await world.owner.query(`insert into schema_migrations values ('9999_from_the_future', now(), true)`);
  await becomes(503, /^commonhall_ready 0$/m);
  await world.owner.query(`delete from schema_migrations where name = '9999_from_the_future'`);
  await becomes(200, /^commonhall_ready 1$/m);
});

test('alerts and dashboard read only metrics and labels that the server exposes', () => {
  assert.ok(expressions.length > 50);
  for (const { where, expr } of expressions) {
    const { metrics, grouped } = readBy(expr);
    assert.ok(metrics.length > 0, `${where}: ${expr}`);
    const known = new Set(['job', 'instance']);
    for (const { name, matchers } of metrics) {
      const labels = name === 'up' ? new Map<string, Set<string>>() : series.get(name);
      assert.ok(labels, `${where} reads ${name}, which the server does not expose`);
      for (const label of labels.keys()) known.add(label);
      for (const { label, value } of matchers) {
        assert.ok(known.has(label), `${where}: ${name} has no label ${label}`);
        const isKnown =
          label === 'code' ? Object.hasOwn(errorStatus, value ?? '') : labels.get(label)?.has(value ?? '');
        if (value !== null && labels.has(label)) assert.ok(isKnown, `${where}: ${label} of ${name} is never ${value}`);
      }
    }
    for (const label of grouped)
      assert.ok(known.has(label), `${where} groups by ${label}, which none of its metrics has`);
  }
});

test('the docs name only metrics that the server exposes, and each of those is in the dashboard or the docs', () => {
  const named = new Set(docs.flatMap((file) => read(file).match(/\bcommonhall_[a-z_]+\b/g) ?? []));
  const unknown = [...named].filter(
    (name) => !series.has(name) && !exposed.includes(name) && !notMetrics.includes(name),
  );
  assert.deepEqual(unknown, []);
  const used = JSON.stringify(panels);
  const unused = exposed.filter((name) => !used.includes(name) && !named.has(name));
  assert.deepEqual(unused, []);
  assert.ok(exposed.length > 15);
});

test('Prometheus accepts the rules, the configuration and every expression of the dashboard', () => {
  assert.match(run('promtool', ['check', 'rules', `${root}deploy/prometheus/alerts.yaml`]), /SUCCESS/);
  assert.match(run('promtool', ['check', 'config', `${root}deploy/prometheus/prometheus.yaml`]), /SUCCESS/);
  const rules = expressions.map(({ expr }, n) => ({ record: `dashboard:expression:${n}`, expr: filledIn(expr, '1m') }));
  const file = join(mkdtempSync(join(tmpdir(), 'commonhall-rules-')), 'rules.yaml');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] })); // JSON is YAML
  assert.match(run('promtool', ['check', 'rules', file]), /SUCCESS/);
});

test('every alert fires in one of its promtool tests and not while all is well, and these tests pass', () => {
  const file = 'deploy/prometheus/alerts.test.yaml';
  const [allIsWell = '', ...others] = read(file)
    .split(/^ {2}- name: /m)
    .slice(1);
  assert.match(allIsWell, /^all is well\n/);
  assert.doesNotMatch(allIsWell, /exp_samples/);
  for (const { name, expr } of alerts) {
    assert.ok(
      others.some((text) => text.includes(`alertname="${name}"`)),
      `${name} fires in no test`,
    );
    for (const metric of readBy(expr).metrics)
      assert.ok(allIsWell.includes(`${metric.name}{`), `${metric.name} has no series in the test "all is well"`);
  }
  run('promtool', ['test', 'rules', `${root}${file}`]);
});

test('every alert has a severity, its texts and a section in docs/alerts.md, and every section has an alert', () => {
  assert.ok(alerts.length > 10);
  const sections = new Map(
    read('docs/alerts.md')
      .split(/^## /m)
      .slice(1)
      .map((text) => [text.split('\n')[0]!, text]),
  );
  assert.deepEqual(
    [...sections.keys()],
    alerts.map(({ name }) => name),
  );
  for (const { name, severity, annotations, runbook } of alerts) {
    assert.ok(['page', 'ticket'].includes(severity), name);
    for (const key of ['summary', 'description']) assert.match(annotations, new RegExp(`^\\s*${key}: .`, 'm'), name);
    assert.equal(runbook, `docs/alerts.md#${name.toLowerCase()}`);
    const section = sections.get(name)!;
    for (const lead of [`**${severity === 'page' ? 'Page' : 'Ticket'}.**`, '**Look.**', '**Do.**', '**Tried.**'])
      assert.ok(section.includes(lead), `${name}: ${lead}`);
  }
});

test('the panels of the dashboard have a title, a description and a unit, and do not overlap', () => {
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  assert.ok(panels.length > 20);
  for (const { title, type, description, fieldConfig, datasource, targets = [] } of panels) {
    assert.ok(title);
    if (type === 'row') continue;
    assert.ok(description && fieldConfig?.defaults.unit && targets.length > 0, title);
    for (const { uid } of [datasource!, ...targets.map((target) => target.datasource)])
      assert.match(uid, /^\$\{datasource\}$/);
  }
  for (const [n, { title, gridPos: a }] of panels.entries()) {
    assert.ok(a.x >= 0 && a.w > 0 && a.h > 0 && a.x + a.w <= 24, title);
    for (const { title: other, gridPos: b } of panels.slice(n + 1)) {
      const overlaps = a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
      assert.ok(!overlaps, `${title} and ${other}`);
    }
  }
});
