// Programs that run while a drill does, how they end with it, and the files of deploy/ that configure them, with the drill's
// own addresses.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Program {
  pid: number;
  /** The last of what it has printed. */
  log: () => string;
  hasEnded: () => boolean;
  stop: () => Promise<void>;
}

/** Starts a program that runs until it is stopped, at the latest with this process. */
export const startProgram = (program: string, args: readonly string[]): Program => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-20_000);
    });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid ?? 0,
    log: () => log,
    hasEnded,
    stop: async () => {
      process.removeListener('exit', kill);
      if (hasEnded()) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
};

/** Runs what registers its ends as it goes; all of them are called afterwards, the last one first, whatever fails. */
export const withEnds = async (act: (end: (stop: () => Promise<unknown>) => void) => Promise<void>): Promise<void> => {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    await act((stop) => stops.push(stop));
  } finally {
    for (const stop of stops.reverse())
      await stop().catch((error: unknown) => {
        console.error(error);
        process.exitCode = 1;
      });
  }
};
