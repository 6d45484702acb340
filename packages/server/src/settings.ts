// Every setting: what it is for, its default, and how its text is read. config.ts reads the environment by this table.
import {
  addresses,
  basePath,
  databaseUrl,
  databaseUrls,
  feedUrl,
  filePath,
  flag,
  integer,
  keySet,
  line,
  moment,
  networkLimits,
  oneOf,
  origins,
  pepper,
  redisUrl,
  tableName,
  text,
  webUrl,
  words,
} from './setting-values.ts';

export interface Setting<T> {
  doc: string;
  /** The value when the setting is absent; undefined: the setting is required. */
  default: T | undefined;
  parse: (text: string) => T;
  /** Masked when printed; may also come from the file that NAME_FILE names. */
  secret?: true;
}

const setting = <T>(definition: Setting<T>): Setting<T> => definition;

export const settings = {
  DATABASE_URL: setting({
    doc: 'PostgreSQL, as postgres://user:password@host:port/database. `serve` needs only a member of commonhall_reader.',
    default: undefined,
    parse: databaseUrl,
    secret: true,
  }),
  REPLICA_URLS: setting({
    doc: 'Replicas of DATABASE_URL, each named directly, joined by commas: they serve public reads. Credentials and private reads stay on DATABASE_URL.',
    default: [] as readonly string[],
    parse: databaseUrls,
    secret: true,
  }),
  MAX_REPLICA_LAG_MS: setting({
    doc: 'A replica that may be further behind than this is not used. Probes are 300 ms apart.',
    default: 1000,
    parse: integer(700, 3_600_000),
  }),
  MAX_WITHOUT_PRIMARY_MS: setting({
    doc: 'How long replicas go on serving public reads while DATABASE_URL is unreachable; then 503. A row that is hidden meanwhile may stay public for that time.',
    default: 900_000,
    parse: integer(0, 86_400_000),
  }),
  DATABASE_CONNECTIONS: setting({
    doc: 'Connections for pages that skip many rows or are filtered; half as many more serve searches, and two more short statements. Use about twice the cores of the database.',
    default: 4,
    parse: integer(1, 1000),
  }),
  DATABASE_WAIT_MS: setting({
    doc: 'Longest wait for a free connection, or behind a slow statement on the same connection; then 503. While no database server can be reached, twice this, and two seconds at most.',
    default: 1000,
    parse: integer(1, 60_000),
  }),
  DATABASE_QUEUE: setting({
    doc: 'Most requests that may wait for a connection, or for a database server that can be reached; a further one gets 503 at once.',
    default: 200,
    parse: integer(0, 100_000),
  }),
  STATEMENT_TIMEOUT_MS: setting({
    doc: 'Time limit of a statement; then 503.',
    default: 3000,
    parse: integer(1, 600_000),
  }),
  PREPARED_STATEMENTS: setting({
    doc: 'Use prepared statements; false for poolers that do not support them.',
    default: true,
    parse: flag,
  }),
  HOST: setting({ doc: 'Address to listen on.', default: '127.0.0.1', parse: text }),
  PORT: setting({ doc: 'Port of the API; 0 takes a free one.', default: 8080, parse: integer(0, 65_535) }),
  METRICS_HOST: setting({
    doc: 'Address of the Prometheus metrics: a private one, since they reveal what callers do.',
    default: '127.0.0.1',
    parse: text,
  }),
  METRICS_PORT: setting({
    doc: 'Port of the Prometheus metrics; 0 takes a free one.',
    default: 9464,
    parse: integer(0, 65_535),
  }),
  PUBLIC_URL: setting({
    doc: 'Where callers reach the API, without BASE_PATH: every absolute URL in responses begins with it. Not set: the address listened on.',
    default: '',
    parse: webUrl,
  }),
  BASE_PATH: setting({ doc: 'Prefix of every path of the API, like /v1.', default: '', parse: basePath }),
  MAX_AGE_SECONDS: setting({
    doc: 'How long public responses stay fresh in caches.',
    default: 1,
    parse: integer(0, 86_400),
  }),
  COMPRESS_FROM_BYTES: setting({
    doc: 'Public responses of at least this size are sent as gzip when the caller accepts that; 0: never, for a proxy in front that compresses.',
    default: 4096,
    parse: integer(0, 1_000_000_000),
  }),
  KEY_PEPPER: setting({
    doc: 'Secret under which API keys are hashed. Without it no API key is accepted and none can be created.',
    default: '',
    parse: pepper,
    secret: true,
  }),
  KEY_PEPPER_PREVIOUS: setting({
    doc: 'The previous pepper: keys made under it are still accepted. For the time of a rotation.',
    default: '',
    parse: pepper,
    secret: true,
  }),
  KEY_KINDS: setting({
    doc: 'Which keys are accepted: live, test, or live,test.',
    default: ['live'] as readonly ('live' | 'test')[],
    parse: words(['live', 'test']),
  }),
  KEYS_DATABASE_URL: setting({
    doc: 'The same database, with a login that is a member of commonhall_key_writer: records the day on which each key was last used. Without it that is not recorded.',
    default: '',
    parse: databaseUrl,
    secret: true,
  }),
  JWT_ISSUER: setting({ doc: 'The `iss` of accepted JWTs. Without it no JWT is accepted.', default: '', parse: text }),
  JWT_AUDIENCE: setting({ doc: 'The `aud` of accepted JWTs.', default: '', parse: text }),
  JWT_JWKS: setting({
    doc: 'Where the public keys of JWTs are: a URL, or the absolute path of a file.',
    default: '',
    parse: keySet,
  }),
  JWT_ALGORITHMS: setting({
    doc: 'Signature algorithms of accepted JWTs.',
    default: ['ES256', 'EdDSA', 'RS256'] as readonly string[],
    parse: words(['ES256', 'ES384', 'ES512', 'EdDSA', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512']),
  }),
  JWT_CLOCK_TOLERANCE_SECONDS: setting({
    doc: 'How far the clock of the issuer may be off.',
    default: 30,
    parse: integer(0, 300),
  }),
  JWT_MAX_LIFETIME_SECONDS: setting({
    doc: 'A JWT that expires later than this from now is rejected, because a JWT cannot be revoked before it expires.',
    default: 86_400,
    parse: integer(60, 31_536_000),
  }),
  JWT_COOLDOWN_SECONDS: setting({
    doc: 'Shortest time between two fetches of the public keys when tokens name an unknown key.',
    default: 30,
    parse: integer(1, 3600),
  }),
  JWT_REFRESH_SECONDS: setting({
    doc: 'How often the public keys are read again, so that a withdrawn key is no longer accepted.',
    default: 300,
    parse: integer(1, 86_400),
  }),
  RATE_LIMIT_PER_ADDRESS: setting({
    doc: 'Units a minute for one address (IPv6: one /64); 0: no limit. Most requests cost one unit.',
    default: 600,
    parse: integer(0, 1_000_000_000),
  }),
  RATE_LIMIT_PER_TOKEN: setting({
    doc: 'Units a minute for one token, on operations that read one; 0: no limit.',
    default: 3000,
    parse: integer(0, 1_000_000_000),
  }),
  RATE_LIMIT_NETWORKS: setting({
    doc: 'Known networks that count as one caller each, with their own units a minute, like 203.0.113.0/24=60000, joined by commas; =0: no limit.',
    default: [] as readonly string[],
    parse: networkLimits,
  }),
  REDIS_URL: setting({
    doc: 'Redis or Valkey in which all servers count rate limits together. Without it each server counts for itself.',
    default: '',
    parse: redisUrl,
    secret: true,
  }),
  FEED_URL: setting({
    doc: "Where `follow` reads changes: the outbox in the platform's database, as postgres://commonhall_feed@host/database, or NATS with JetStream, as nats://host:4222 or tls://user:password@one:4222,two:4222.",
    default: '',
    parse: feedUrl,
    secret: true,
  }),
  FEED_TABLE: setting({
    doc: "The outbox that `follow` reads in the platform's database; beside it is its position, like outbox_position.",
    default: 'outbox',
    parse: tableName,
  }),
  FEED_STREAM: setting({ doc: 'The stream that `follow` reads from NATS.', default: 'COMMONHALL', parse: text }),
  PLATFORM_DATABASE_URL: setting({
    doc: "The platform's database for `load`, as a role that reads its views commonhall_<table>. Nothing else needs it.",
    default: '',
    parse: databaseUrl,
    secret: true,
  }),
  JOURNAL_FILE: setting({
    doc: "Path of the operator's journal: `key revoke`, `hide`, `unhide` and `erase` append what they do, and `journal replay` repeats it after a restore. Only these commands and `verify` need it.",
    default: '',
    parse: filePath,
  }),
  TRUSTED_PROXIES: setting({
    doc: 'Addresses or networks of proxies whose X-Forwarded-For is trusted, joined by commas.',
    default: [] as readonly string[],
    parse: addresses,
  }),
  MAX_EVENT_LOOP_DELAY_MS: setting({
    doc: 'When the event loop lags by more than this, requests get 503 at once; 0: never.',
    default: 250,
    parse: integer(0, 60_000),
  }),
  SLOW_READER_BYTES_PER_SECOND: setting({
    doc: 'While bytes wait to be sent, the caller must read at least this many a second, or its connection is closed; 0: no minimum.',
    default: 4096,
    parse: integer(0, 1_000_000_000),
  }),
  SLOW_READER_SECONDS: setting({
    doc: 'The time over which SLOW_READER_BYTES_PER_SECOND is measured.',
    default: 30,
    parse: integer(1, 3600),
  }),
  MAX_UNSENT_BYTES: setting({
    doc: 'Most bytes that may wait to be sent in the whole process. At this limit the largest connection of the address with the most unsent bytes is closed.',
    default: 134_217_728,
    parse: integer(1_048_576, 1_000_000_000_000),
  }),
  EXPLORER: setting({ doc: 'Pages for people at /explore.', default: true, parse: flag }),
  EXPLORER_IMAGE_ORIGINS: setting({
    doc: 'Origins whose pictures the pages show, like https://img.example.org, joined by commas; https: allows every host. A picture tells its host who looks.',
    default: [] as readonly string[],
    parse: origins,
  }),
  COMMUNITY_NAME: setting({
    doc: 'The name of the community, on its pages, in feeds and in the API document.',
    default: 'Commonhall',
    parse: line,
  }),
  COMMUNITY_URL: setting({ doc: 'The website of the community, linked from its pages.', default: '', parse: webUrl }),
  COMMUNITY_LOGO: setting({
    doc: 'The URL of the logo on the pages; its origin must be in EXPLORER_IMAGE_ORIGINS.',
    default: '',
    parse: webUrl,
  }),
  DRAIN_MS: setting({
    doc: 'How long a stopping server reports "not ready" before it stops accepting connections.',
    default: 3000,
    parse: integer(0, 600_000),
  }),
  LOG_LEVEL: setting({
    doc: 'Lowest level that is logged.',
    default: 'info',
    parse: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  }),
  CHECK_RESPONSES: setting({
    doc: 'Development: check every response against the contract; a mismatch is 500 and names the key.',
    default: false,
    parse: flag,
  }),
  FIXED_NOW: setting({
    doc: 'Pins the clock of the API to a fixed time, for demonstrations and tests.',
    default: '',
    parse: moment,
  }),
};
