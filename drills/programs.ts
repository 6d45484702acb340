// Background programs of a drill, and the cleanup of all its parts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../test/helpers/process.ts';

export interface Program {
  pid: number;
  /** The end of its output. */
  log: () => string;
  stop: () => Promise<void>;
}

/** Starts a background program, which is killed with this process at the latest. It is ready when `check` succeeds. */
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

/** Runs `act`, which registers cleanup functions. All are called afterwards, in reverse order, even after a failure. */
export const withEnds = async (act: (end: (stop: () => unknown) => void) => Promise<void>): Promise<void> => {
  const stops: (() => unknown)[] = [];
  try {
    await act((stop) => stops.push(stop));
  } finally {
    for (const stop of stops.reverse())
      try {
        await stop();
      } catch (error) {
        console.error(error); // continue: the other parts must be stopped too
        process.exitCode = 1;
      }
  }
};
