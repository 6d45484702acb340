// npm run drill -- <name>: an exercise for operators. Each starts its own parts on loopback, ends by itself and prints its
// figures; it fails when something does not hold. With --short it proves the same fewer times.
import { parseArgs } from 'node:util';
import { drillAlerts } from './alerts.ts';
import { drillImage } from './image.ts';

const drills: Record<string, (options: { short: boolean }) => Promise<void>> = {
  alerts: drillAlerts,
  image: drillImage,
};
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false } },
});
const drill = drills[positionals[0] ?? ''];
if (drill === undefined) {
  console.error(`say which: npm run drill -- ${Object.keys(drills).join(' | ')}`);
  process.exitCode = 2;
} else await drill(values);
