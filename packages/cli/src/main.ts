#!/usr/bin/env node
// Runs one command. The only file that sets the exit status.
import module from 'node:module';

// Halves the start-up time from the second start on. Node 20 does not have it.
module.enableCompileCache?.();
const { CommanderError } = await import('commander');
const { describe } = await import('./failures.ts');
const { makeProgram } = await import('./program.ts');

// The reader of the output may close the pipe early: commonhall-api … --all | head
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await makeProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    const { lines, status } = describe(error);
    for (const line of lines) process.stderr.write(`${line}\n`);
    process.exitCode = status;
  }
}
