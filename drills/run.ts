// npm run drill -- <name> [--short]: an exercise for operators. Each starts its own parts on loopback, ends by itself and
// prints its figures; it fails when something does not hold. The short form proves the same with less data.
import { drillImage } from './image.ts';
import { drillRestore } from './restore.ts';

const drills: Record<string, (options: { short: boolean }) => Promise<void>> = {
  image: drillImage,
  restore: drillRestore,
};
const [name = '', ...flags] = process.argv.slice(2);
const drill = drills[name];
if (drill === undefined) {
  console.error(`say which: npm run drill -- ${Object.keys(drills).join(' | ')}`);
  process.exitCode = 2;
} else await drill({ short: flags.includes('--short') });
