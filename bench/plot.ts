// node bench/plot.ts: draws the last accepted results (bench/results/*.json) as docs/scale.svg.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Accepted {
  rows: { what: string; serverMicros: number; databaseMicros: number; perSecond: number }[];
}
const read = (name: string): Accepted =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'results', `${name}.json`), 'utf8')) as Accepted;

/** Answers a second of each operation in the medium world and in the large one, on a logarithmic scale. */
const large = read('core');
const medium = existsSync(join(import.meta.dirname, 'results/core-medium.json')) ? read('core-medium') : null;
const bars = large.rows
  .filter(({ what }) => what.endsWith(' Commonhall'))
  .map(({ what, perSecond }) => ({
    name: what.replace(' Commonhall', '').replace(/^A$/, 'getAgent').replace(/^H$/, 'listCollectionHolders'),
    large: perSecond,
    medium: medium?.rows.find((row) => row.what === what)?.perSecond ?? 0,
  }))
  .sort((a, b) => b.large - a.large);

const [left, top, step, width] = [230, 60, 26, 560];
const height = top + bars.length * step + 40;
const at = (perSecond: number) => left + (Math.log10(Math.max(10, perSecond)) - 1) * (width / 3.3);
const axis = [10, 100, 1000, 10_000].map(
  (value) =>
    `<line x1="${at(value)}" x2="${at(value)}" y1="${top - 8}" y2="${height - 30}" stroke="#ddd"/>` +
    `<text x="${at(value)}" y="${height - 12}" text-anchor="middle">${value.toLocaleString('en')}</text>`,
);
const lines = bars.map(({ name, large: inLarge, medium: inMedium }, index) => {
  const y = top + index * step;
  return (
    `<text x="${left - 8}" y="${y + 14}" text-anchor="end">${name}</text>` +
    `<rect x="${left}" y="${y + 2}" width="${at(inMedium) - left}" height="8" fill="#9bbce0"/>` +
    `<rect x="${left}" y="${y + 11}" width="${at(inLarge) - left}" height="8" fill="#2b5f9e"/>`
  );
});
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 20} ${height}" font-family="sans-serif" font-size="13">
<title>Answers a second of each operation</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${left}" y="20" font-weight="bold">Answers a second, 32 connections, two shared cores for everything</text>
${medium === null ? '' : `<rect x="${left + 290}" y="30" width="12" height="9" fill="#9bbce0"/><text x="${left + 308}" y="39">medium: 100 thousand, 1 million</text>`}
<rect x="${left}" y="30" width="12" height="9" fill="#2b5f9e"/><text x="${left + 18}" y="39">large: 3 million users, 10 million holdings</text>
${axis.join('\n')}
${lines.join('\n')}
</svg>
`;
writeFileSync(join(import.meta.dirname, '../docs/scale.svg'), svg);
