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
const flags = process.argv.slice(2);
const short = flags.includes('--short');
const wanted = flags.filter((flag) => flag !== '--short');
const names = wanted.includes('all') ? Object.keys(drills) : wanted;
// What is started ends with this process, also on Ctrl-C.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (names.length === 0 || !names.every((name) => Object.hasOwn(drills, name))) {
  console.error(`say which: npm run drill -- ${Object.keys(drills).join(' | ')} | all [--short]`);
  process.exitCode = 2;
} else
  for (const name of names) {
    const began = performance.now();
    await drills[name]?.({ short });
    console.log(`drill ${name}: ${Math.round((performance.now() - began) / 1000)} s`);
  }
