// npm run drill -- <name>: an exercise for operators. Each starts its own parts on loopback, ends by itself and prints its
// figures; it fails when something does not hold. With --short it proves the same fewer times.
import { drillDeploy } from './deploy.ts';
import { drillImage } from './image.ts';
import { drillPooler } from './pooler.ts';
import { drillReplica } from './replica.ts';
import { drillRestore } from './restore.ts';

const drills: Record<string, (options: { short: boolean }) => Promise<void>> = {
  deploy: drillDeploy,
  image: drillImage,
  pooler: drillPooler,
  replica: drillReplica,
  restore: drillRestore,
};
const [name = '', ...flags] = process.argv.slice(2);
const drill = drills[name];
// What is started ends with this process, also on Ctrl-C.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (drill === undefined) {
  console.error(`say which: npm run drill -- ${Object.keys(drills).join(' | ')} [--short]`);
  process.exitCode = 2;
} else await drill({ short: flags.includes('--short') });
