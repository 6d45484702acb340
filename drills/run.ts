// npm run drill -- <name>: an exercise for operators. Each starts its own parts on loopback, ends by itself and prints its
// figures; it fails when something does not hold.
import { drillImage } from './image.ts';

const drills: Record<string, () => Promise<void>> = { image: drillImage };
const [name = ''] = process.argv.slice(2);
const drill = drills[name];
if (drill === undefined) {
  console.error(`say which: npm run drill -- ${Object.keys(drills).join(' | ')}`);
  process.exitCode = 2;
} else await drill();
