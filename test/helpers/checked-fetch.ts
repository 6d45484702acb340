// A fetch that checks every answer against openapi.json: declared status, exact body and the headers of all answers. No
// answer may contain a credential.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Failure } from '@commonhall/contract/envelope';
import { errorStatus, validationStatuses } from '@commonhall/contract/errors';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** A key or a JWT. */
export const credential = /chk_(live|test)_\w|eyJ[\w-]{20}/;

/** The document, with its objects closed as those of the contract are: a key too many in a response is a mistake here. */
const closed = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const made = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return [made.type].flat().includes('object') && 'properties' in made
    ? { additionalProperties: false, ...made }
    : made;
};
const documentUrl = new URL('../../packages/contract/openapi.json', import.meta.url);
const document = closed(JSON.parse(readFileSync(documentUrl, 'utf8'))) as {
  paths: Record<string, { get: { responses: Record<string, { $ref?: string }> } }>;
};
const isInstant = (text: string) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
const ajv = new Ajv2020({ strict: false, allErrors: false, formats: { 'date-time': isInstant, int64: true } });
ajv.addSchema(document, 'openapi');
const isFailure = ajv.compile(Failure);

// Literal paths before parameterised ones, as in the router.
const paths = Object.keys(document.paths).sort((a, b) => a.split('{').length - b.split('{').length);
const patterns = paths.map((path) => ({
  path,
  pattern: new RegExp(`^${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]*')}$`),
}));

const validators = new Map<string, ValidateFunction>();
const validatorOf = (path: string, status: number): ValidateFunction => {
  const declared = document.paths[path]?.get.responses[status];
  const at =
    declared?.$ref ??
    `#/paths/${encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))}/get/responses/${status}`;
  const pointer = `openapi${at}/content/application~1json/schema`;
  const known = validators.get(pointer);
  if (known !== undefined) return known;
  const made = ajv.compile({ $ref: pointer });
  validators.set(pointer, made);
  return made;
};

const checkFailure = (body: unknown, status: number, where: string): void => {
  assert.ok(isFailure(body), `${where}: ${JSON.stringify(body)} is not a failure of the contract`);
  const { code } = body as { code: keyof typeof errorStatus };
  if (!(status in validationStatuses))
    assert.equal(errorStatus[code], status, `${where}: ${code} has the wrong status`);
  else assert.equal(code, 'VALIDATION_ERROR', where);
};

/** Throws unless the document declares the answer for its path. */
const checkAnswer = async (path: string, method: string, response: Response): Promise<void> => {
  const where = `${method} ${path} → ${response.status}`;
  assert.match(response.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, where);
  assert.equal(response.headers.get('access-control-allow-origin'), '*', where);
  if (response.status !== 200 && response.status !== 304)
    assert.equal(response.headers.get('cache-control'), 'no-store', where);
  if (method !== 'GET' || response.status === 304) return;
  const text = await response.clone().text();
  assert.doesNotMatch(text + JSON.stringify([...response.headers]), credential, where);
  if (response.headers.get('content-type') === 'application/x-ndjson') {
    for (const line of text.split('\n').slice(0, -1)) JSON.parse(line);
    return;
  }
  const body: unknown = JSON.parse(text);
  const known = patterns.find(({ pattern }) => pattern.test(path))?.path;
  if (known === undefined) {
    if (response.status !== 200) checkFailure(body, response.status, where);
    return;
  }
  if (response.status !== 200) checkFailure(body, response.status, where);
  // Said here, or each test would only say that 500 is not the status that it expects.
  const broken = /\w+ breaks its contract: [^"]*/.exec(text);
  if (broken !== null) assert.fail(broken[0]);
  assert.ok(document.paths[known]?.get.responses[response.status], `${where}: the status is not declared for ${known}`);
  const validate = validatorOf(known, response.status);
  assert.ok(validate(body), `${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 500)}`);
};

export const checkedFetch =
  (basePath: string): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const { pathname } = new URL(String(input));
    await checkAnswer(pathname.slice(basePath.length), init?.method ?? 'GET', response);
    return response;
  };
