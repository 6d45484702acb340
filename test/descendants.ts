// Reads the system's list of processes, and tracks all descendants of one, including those with a session of their own.
// They are found while their parents live, and remembered, so that a process that outlives its parent can be killed.
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  pid: number;
  parent: number;
  /** Start time: together with the pid it identifies a process, since pids are reused. */
  began: string;
  /** CPU time in hundredths of a second: its own, and that of its children that have ended. */
  ticks: number;
  childTicks: number;
}

export const readProcess = (pid: number): Process | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
    const times = { ticks: user + system, childTicks: childUser + childSystem };
    return { pid, parent: Number(fields[1]), began: fields[19] ?? '', ...times };
  } catch {
    return null; // the process has ended, or this is not Linux
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
    /** Kills the processes that are left, and stops watching. */
    end: (signal: NodeJS.Signals): void => {
      clearInterval(timer);
      for (const pid of alive())
        try {
          process.kill(pid, signal);
        } catch {
          // the process has already ended
        }
    },
  };
};
