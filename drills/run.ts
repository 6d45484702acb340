// npm run drill -- <name>… [--short]: exercises for operators. Each drill starts its own parts on loopback, ends by
// itself, prints its figures, and fails if a check fails. With --short it repeats its checks less often.
import { parseArgs } from 'node:util';
import { drillAlerts } from './alerts.ts';
import { drillCompose } from './compose.ts';
import { drillDeploy } from './deploy.ts';
import { drillFailover } from './failover.ts';
import { drillImage } from './image.ts';
import { drillMirror } from './mirror.ts';
import { drillPooler } from './pooler.ts';
import { drillReplica } from './replica.ts';
import { drillRestore } from './restore.ts';
import { drillSystemd } from './systemd.ts';

const drills: Record<string, (options: { short: boolean }) => Promise<void>> = {
  alerts: drillAlerts,
  compose: drillCompose,
  deploy: drillDeploy,
  failover: drillFailover,
  image: drillImage,
  mirror: drillMirror,
  pooler: drillPooler,
  replica: drillReplica,
  restore: drillRestore,
  systemd: drillSystemd,
};
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false } },
});
// Exit listeners stop all parts, also on Ctrl-C.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (positionals.length === 0 || !positionals.every((name) => Object.hasOwn(drills, name))) {
  console.error(`usage: npm run drill -- ${Object.keys(drills).join(' | ')} [--short]`);
  process.exitCode = 2;
} else
  for (const name of positionals) {
    const began = performance.now();
    await drills[name]?.(values);
    console.log(`drill ${name}: ${Math.round((performance.now() - began) / 1000)} s`);
  }
