// commonhall doctor: everything that an operator would look at, in one list, each with its remedy. Returns whether
// nothing needs a hand.
import type { Config } from '../config.ts';
import { withClient } from '../db/connection/client.ts';
import { lookAtDatabase } from '../operator/doctor-database.ts';
import { lookAtClock, lookAtNats, lookAtOutbox, lookAtReplica } from '../operator/doctor-platform.ts';
import type { Finding } from '../operator/findings.ts';
import { either, looked } from '../operator/findings.ts';
import { isPostgres } from '../setting-values.ts';

const bounds = { connectionTimeoutMillis: 5000, query_timeout: 30_000 };
const hostOf = (url: string): string => new URL(url).host;

/** What follows from the settings alone. */
const settings = (config: Config): Finding[] => {
  const isBehindProxy = config.PUBLIC_URL.startsWith('https:');
  const limits = config.RATE_LIMIT_PER_ADDRESS > 0;
  return [
    either(
      !(isBehindProxy && limits && config.TRUSTED_PROXIES.length === 0),
      'rate limits',
      limits ? `${config.RATE_LIMIT_PER_ADDRESS} units a minute for one address` : 'none',
      'PUBLIC_URL is https, so a proxy is in front: name it in TRUSTED_PROXIES, or all callers count as one',
    ),
    either(
      config.JOURNAL_FILE !== '',
      'journal',
      config.JOURNAL_FILE === '' ? 'none: a restore undoes what was hidden or erased since' : config.JOURNAL_FILE,
      'set JOURNAL_FILE',
    ),
  ];
};

const source = (config: Config, servingRole: string): Promise<Finding[]> => {
  const { FEED_URL, FEED_TABLE, FEED_STREAM } = config;
  if (FEED_URL === '') return Promise.resolve([]);
  return isPostgres(FEED_URL)
    ? looked('platform', () =>
        withClient(FEED_URL, (client) => lookAtOutbox(client, FEED_TABLE, servingRole), bounds, 'FEED_URL'),
      )
    : looked('NATS', () => lookAtNats(FEED_URL, FEED_STREAM));
};

export const doctor = async (config: Config, print: (line: string) => void): Promise<boolean> => {
  const { DATABASE_URL } = config;
  const findings = settings(config);
  const own = () =>
    withClient(
      DATABASE_URL,
      async (client) => [...(await lookAtDatabase(client)), await lookAtClock(client, "the database's clock")],
      bounds,
    );
  findings.push(...(await looked('database', own)));
  for (const url of config.REPLICA_URLS)
    findings.push(
      ...(await looked(`replica ${hostOf(url)}`, () =>
        withClient(url, (client) => lookAtReplica(client, `replica ${hostOf(url)}`), bounds, 'REPLICA_URLS'),
      )),
    );
  findings.push(...(await source(config, new URL(DATABASE_URL).username)));
  for (const { about, found, remedy } of findings)
    print(remedy === null ? `ok    ${about}: ${found}` : `LOOK  ${about}: ${found}; ${remedy}`);
  const open = findings.filter(({ remedy }) => remedy !== null).length;
  print(open === 0 ? `all ${findings.length} are well` : `${open} of ${findings.length} need a hand`);
  return open === 0;
};
