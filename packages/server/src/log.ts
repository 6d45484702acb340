// The one logger: JSON lines on standard output, gathered: a write for each line would cost as much as a short answer.
import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';

export type Log = Logger;

// Lines leave together when they fill a page of memory, and at the latest after this time or at the end of the process.
const gatherBytes = 4096;
const gatherMs = 100;

export const openLog = (level: string, destination?: DestinationStream): Log =>
  pino(
    { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    destination ?? pino.destination({ dest: 1, minLength: gatherBytes, periodicFlush: gatherMs, sync: false }),
  );
