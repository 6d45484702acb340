// Programs that run while a drill does, and how all its parts end with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../packages/server/test/helpers/process.ts';

export interface Program {
  pid: number;
  /** The last of what it has printed. */
  log: () => string;
  stop: () => Promise<void>;
}

/** Starts a program that runs until it is stopped, at the latest with this process. It is ready when `check` succeeds. */
export const startProgram = async (
  program: string,
  args: readonly string[],
  check: () => Promise<unknown>,
): Promise<Program> => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-20_000);
    });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    process.removeListener('exit', kill);
    if (hasEnded()) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  try {
    await eventually(async () => {
      if (hasEnded()) throw new Error(`${program} has ended: ${log}`);
      await check();
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid ?? 0, log: () => log, stop };
};

/** Runs what registers its ends as it goes; all of them are called afterwards, the last one first, whatever fails. */
export const withEnds = async (act: (end: (stop: () => unknown) => void) => Promise<void>): Promise<void> => {
  const stops: (() => unknown)[] = [];
  try {
    await act((stop) => stops.push(stop));
  } finally {
    for (const stop of stops.reverse())
      try {
        await stop();
      } catch (error) {
        console.error(error); // the others must be stopped too
        process.exitCode = 1;
      }
  }
};
