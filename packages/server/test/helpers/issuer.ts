// An identity provider for tests: real keys, and a key set over HTTP that a test can change, slow down and make fail.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CryptoKey, JWK } from 'jose';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';

export const issuerName = 'https://id.example';
export const audience = 'https://api.example';

export interface SigningKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  jwk: JWK;
  pem: string;
}

export const makeSigningKey = async (kid: string, alg = 'ES256'): Promise<SigningKey> => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return {
    kid,
    alg,
    privateKey,
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    pem: await exportSPKI(publicKey),
  };
};

const now = () => Math.floor(Date.now() / 1000);

/** A token that is valid except for the claims and headers that the test gives. */
export const sign = (
  { kid, alg, privateKey }: SigningKey,
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> => {
  const payload = { iss: issuerName, aud: audience, exp: now() + 300, ...claims };
  for (const [name, value] of Object.entries(payload))
    if (value === undefined) delete payload[name as keyof typeof payload];
  return new SignJWT(payload).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
};

export interface KeySet {
  url: string;
  keys: SigningKey[];
  /** Replaces the answer of the key set; undefined: a correct answer. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  asked: number;
  close: () => void;
}

export const openKeySet = async (keys: SigningKey[]): Promise<KeySet> => {
  const server = createServer((request, response) => {
    keySet.asked += 1;
    if (keySet.answer !== undefined) return keySet.answer(request, response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys: keySet.keys.map(({ jwk }) => jwk) }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref(); // the process must end even if a test fails before it closes this server
  const keySet: KeySet = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    keys,
    answer: undefined,
    asked: 0,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return keySet;
};

/** The settings of a server that trusts this key set. */
export const jwtSettings = (jwks: string): Record<string, string> => ({
  JWT_ISSUER: issuerName,
  JWT_AUDIENCE: audience,
  JWT_JWKS: jwks,
  JWT_COOLDOWN_SECONDS: '1',
  JWT_REFRESH_SECONDS: '2',
});
