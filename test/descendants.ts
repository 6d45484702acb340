// Every process that a process has started, directly or not, also one with a session of its own: found while its parents
// live, and remembered, so that what outlives them can be ended.
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  pid: number;
  parent: number;
  /** When it began: with it a number names one process for ever. */
  began: string;
}

const readProcess = (pid: number): Process | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(fields[1]), began: fields[19] ?? '' };
  } catch {
    return null; // ended meanwhile, or no Linux
  }
};

const allProcesses = (): Process[] => {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []));
  } catch {
    return [];
  }
};

export const childrenOf = (parent: number): number[] =>
  allProcesses()
    .filter((process) => process.parent === parent)
    .map(({ pid }) => pid);

export const watchDescendants = (root: number) => {
  const seen = new Map<number, Process>();
  const look = (): void => {
    const all = allProcesses();
    const found = new Set([root]);
    for (let before = 0; before !== found.size; ) {
      before = found.size;
      for (const process of all) if (found.has(process.parent)) found.add(process.pid);
    }
    for (const process of all) if (found.has(process.pid)) seen.set(process.pid, process);
  };
  const timer = setInterval(look, 1000);
  const alive = (): number[] =>
    [...seen.values()].filter(({ pid, began }) => readProcess(pid)?.began === began).map(({ pid }) => pid);
  return {
    look,
    alive,
    /** Ends those that are left, and stops watching. */
    end: (signal: NodeJS.Signals): void => {
      clearInterval(timer);
      for (const pid of alive())
        try {
          process.kill(pid, signal);
        } catch {
          // ended meanwhile
        }
    },
  };
};
