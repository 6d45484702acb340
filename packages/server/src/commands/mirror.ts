// commonhall mirror <url>: keeps this database a copy of the public rows of another Commonhall, until SIGTERM or SIGINT.
import type { Config } from '../config.ts';
import { refuseWrongDatabase } from '../db/schema/readiness.ts';
import { follow } from '../feed/follow.ts';
import { openMirrorSource } from '../feed/mirror-source.ts';
import type { Log } from '../log.ts';

export const mirror = async (
  config: Config,
  origin: string,
  since: string | null,
  log: Log,
  signal: AbortSignal,
): Promise<void> => {
  if (!/^https?:\/\/[^/]/.test(origin) || !URL.canParse(origin))
    throw new Error(`the origin must be the URL of an API, with its base path: https://api.example.org, not ${origin}`);
  await refuseWrongDatabase(config.DATABASE_URL, config.DATABASE_WAIT_MS);
  const url = origin.replace(/\/+$/, '');
  await follow({
    url: config.DATABASE_URL,
    openSource: async () => openMirrorSource(url, since, log),
    log,
    signal,
  });
};
