// Crash points, for test/crash-points.long.test.ts: at each durable boundary of the commands that write, the process
// can end itself as if it were killed there. main.ts arms one point, from the environment, and never for `serve`: no
// request can reach one. Without it a call compares one variable.
import { writeSync } from 'node:fs';

/** Every point, by the command that visits it. Each is called exactly once. */
export const crashPoints = [
  'follow: lease taken',
  'follow: source begun',
  'follow: batch begun',
  'follow: batch applied',
  'follow: position written',
  'follow: rows remembered',
  'follow: batch committed',
  'follow: release sent',
  'follow: failed batch rolled back',
  'outbox: release to complete',
  'outbox: rows released',
  'apply: file applied',
  'import: load noted',
  'import: batch loaded',
  'import: checkpoint written',
  'import: batch committed',
  'import: pruned',
  'import: checkpoints of a pruned load forgotten',
  'import: prune committed',
  'import: checkpoints forgotten',
  'import: load complete',
  'erase: mentions cleared',
  'erase: rows deleted',
  'erase: kept out',
  'hide: takedown written',
  'unhide: takedown deleted',
  'journal: locked',
  'journal: line written',
  'journal: step replayed',
  'migrate: first tables created',
  'migrate: statement run outside',
  'migrate: batch changed',
  'migrate: migration run',
  'migrate: migration noted',
  'migrate: migration committed',
  'lists: version registered',
  'lists: index built',
  'lists: version filled',
  'lists: version built',
  'lists: build declared',
  'lists: versions retired',
  'lists: version dropped',
  'lists: versions unread',
  'migrate: schema complete',
] as const;
type CrashPoint = (typeof crashPoints)[number];

let armed: string | null = null;
let visitsLeft = 0;

/** `point`: its name, and optionally which visit: `follow: batch applied#2`. Empty: none. */
export const armCrashPoint = (point: string): void => {
  if (point === '') return;
  const [name = '', visit = '1'] = point.split('#');
  if (!crashPoints.some((known) => known === name)) throw new Error(`there is no crash point ${name}`);
  armed = name;
  visitsLeft = Number(visit);
};

export const crashPoint = (name: CrashPoint): void => {
  if (armed !== name || --visitsLeft > 0) return;
  writeSync(2, `crash point: ${name}\n`);
  process.kill(process.pid, 'SIGKILL'); // does not return
};
