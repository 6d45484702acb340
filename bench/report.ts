// node bench/report.ts <folder>: writes results (the last line of `npm run bench -- core --json` as core.json) into
// docs/scale.md, between the comments that name them. With growth-small, growth-medium and growth it also draws
// docs/scale.svg: how the cost of each operation grows with the data.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hitRatioTable } from './cache.ts';
import type { HitRatio } from './jobs.ts';

interface Accepted {
  date: string;
  machine: string;
  ratios: Record<string, number>;
  rows: {
    what: string;
    perSecond: number;
    p50Ms: number | null;
    p99Ms: number | null;
    serverMicros: number | null;
    databaseMicros: number | null;
  }[];
  hitRatios?: HitRatio[];
}
const at = (...path: string[]) => join(import.meta.dirname, ...path);
const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node bench/report.ts <folder of results>');
const fileOf = (name: string) => join(folder, `${name}.json`);
const read = (name: string) => JSON.parse(readFileSync(fileOf(name), 'utf8')) as Accepted;

const figure = (value: number | null, digits: number): string =>
  value === null || value === 0
    ? ''
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const tables = (name: string): string => {
  const { rows, ratios, date, machine, hitRatios } = read(name);
  const lines = rows.map(
    ({ what, perSecond, p50Ms, p99Ms, serverMicros, databaseMicros }) =>
      `| ${what} | ${figure(perSecond, perSecond < 100 ? 2 : 0)} | ${figure(p50Ms, 2)} | ${figure(p99Ms, 1)} | ${figure(serverMicros, 0)} | ${figure(databaseMicros, 0)} |`,
  );
  const ratioLines = Object.entries(ratios).map(([ratio, value]) => `| ${ratio} | ${value} |`);
  return [
    `${date.slice(0, 10)}, ${machine}.`,
    '',
    '| what | a second | p50 ms | p99 ms | server µs | PostgreSQL µs |',
    '|---|---|---|---|---|---|',
    ...lines,
    ...(ratioLines.length === 0 ? [] : ['', '| ratio | |', '|---|---|', ...ratioLines]),
    ...(hitRatios === undefined ? [] : ['', hitRatioTable(hitRatios)]),
  ].join('\n');
};

const page = at('../docs/scale.md');
const filled = readFileSync(page, 'utf8').replace(/<!-- (\w+) -->\n[\s\S]*?<!-- end -->/g, (known, name: string) =>
  existsSync(fileOf(name)) ? `<!-- ${name} -->\n${tables(name)}\n<!-- end -->` : known,
);
writeFileSync(page, filled);

if (!existsSync(fileOf('growth'))) process.exit();
/** The CPU time of one response on two cores, with data sets of three sizes. */
const worlds = [
  { name: 'growth-small', label: '10 thousand rows', colour: '#f2a65a' },
  { name: 'growth-medium', label: '1.7 million rows', colour: '#6a9fd4' },
  { name: 'growth', label: '28 million rows', colour: '#1d3f72' },
].map((world) => ({ ...world, rows: read(world.name).rows }));
const microsIn = (rows: Accepted['rows'], what: string): number =>
  1e6 / (rows.find((row) => row.what === what)?.perSecond ?? Number.NaN);
const operations = [...worlds[2]!.rows].sort((a, b) => b.perSecond - a.perSecond).map(({ what }) => what);

const [left, top, step, width] = [230, 70, 24, 560];
const height = top + operations.length * step + 40;
const x = (micros: number) => left + Math.log10(Math.max(20, micros) / 20) * (width / Math.log10(500));
const axis = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000].map(
  (value) =>
    `<line x1="${x(value)}" x2="${x(value)}" y1="${top - 8}" y2="${height - 30}" stroke="#ddd"/>` +
    `<text x="${x(value)}" y="${height - 12}" text-anchor="middle">${value.toLocaleString('en')}</text>`,
);
const dots = operations.map((what, index) => {
  const y = top + index * step + 8;
  const marks = worlds.map(
    ({ rows, colour }) =>
      `<circle cx="${x(microsIn(rows, what)).toFixed(1)}" cy="${y}" r="6" fill="${colour}" fill-opacity="0.85"/>`,
  );
  return `<text x="${left - 10}" y="${y + 5}" text-anchor="end">${what}</text>${marks.join('')}`;
});
const legend = worlds.map(
  ({ label, colour }, index) =>
    `<circle cx="${left + index * 170 + 6}" cy="40" r="6" fill="${colour}"/><text x="${left + index * 170 + 18}" y="45">${label}</text>`,
);
writeFileSync(
  at('../docs/scale.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 40} ${height}" font-family="sans-serif" font-size="13">
<title>How the cost of each operation grows with the rows</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${left}" y="20" font-weight="bold">Microseconds of two shared cores for one answer, everything included</text>
${legend.join('\n')}
${axis.join('\n')}
${dots.join('\n')}
</svg>
`,
);
