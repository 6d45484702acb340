// The settings of a server behind a proxy or a cache of deploy/.
import { patient } from '../../../../test/helpers/process.ts';
import { pepper } from '../../../../test/helpers/world.ts';

export const behindProxy = {
  KEY_PEPPER: pepper,
  KEY_KINDS: 'live,test',
  RATE_LIMIT_PER_TOKEN: '0',
  ...patient,
  TRUSTED_PROXIES: '127.0.0.1',
  PUBLIC_URL: 'https://api.example.org',
  FIXED_NOW: '2026-03-01T00:00:00Z',
};
