// The one logger: JSON lines on standard output.
import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';

export type Log = Logger;

export const openLog = (level: string, destination?: DestinationStream): Log =>
  pino(
    { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    destination ?? pino.destination(1),
  );
