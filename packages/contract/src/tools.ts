// The operations as tools of the Model Context Protocol (MCP): the definitions of the tools, and a tool call as the GET
// of its operation. Independent of transport and library; packages/cli and packages/server add theirs.
import type { TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import { errorRemedy } from './errors.ts';
import { operations } from './index.ts';
import type { Operation } from './operation.ts';
import { keyNote } from './operation.ts';
import type { OperationId } from './table.ts';
import type { AnyArgs } from './url.ts';
import { ArgumentError, urlOf } from './url.ts';
import { version } from './version.ts';

export const toolServer = { name: 'commonhall', title: 'Commonhall', version };
export const toolServerOptions = {
  capabilities: { tools: {} },
  instructions:
    'Read-only access to a community of builders: agents, bounties, sponsors, launches, badge collections, contests, users and repositories. Lists have an exact `total` and any `page`; ask for a small `pageSize` first. Find a name, slug or id in a list before you get a single resource.',
};

type PlainSchema = Record<string, string | number | boolean | string[]>;
/** The schema of an argument, without the x- keywords, which only our tests and documents use. */
const plain = (schema: TSchema): PlainSchema =>
  Object.fromEntries(Object.entries(schema as PlainSchema).filter(([key]) => !key.startsWith('x-')));

const toolOf = ({ id, summary, description, auth, params, query }: Operation) => ({
  name: id as string,
  title: summary,
  description: `${description} ${keyNote[auth]}`.trimEnd(),
  inputSchema: {
    type: 'object' as const,
    properties: Object.fromEntries(Object.entries({ ...params, ...query }).map(([name, s]) => [name, plain(s)])),
    required: [...Object.keys(params), ...Object.keys(query).filter((name) => 'x-required' in query[name]!)],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});
type Tool = ReturnType<typeof toolOf>;

export const tools: Tool[] = Object.values<Operation>(operations).map(toolOf);

/** The result of an operation: its data, as a value or as JSON, or its failure. */
export type Outcome = { data: unknown } | { json: string } | { code: string; error: string };
/** Sends the GET of an operation. Its arguments are those of the tool. */
export type Ask = (id: OperationId, args: AnyArgs) => Promise<Outcome>;

export interface ToolResult {
  content: { type: 'text'; text: string }[];
  isError?: true;
  [key: string]: unknown;
}
/** A failure as text for the model, and as the envelope for programs. */
const failed = (code: string, error: string): ToolResult => {
  const remedy = errorRemedy[code as ErrorCode] ?? '';
  const text = `${code}: ${error.replace(/\.$/, '')}. ${remedy}`.trim();
  return { content: [{ type: 'text', text }], structuredContent: { success: false, error, code }, isError: true };
};

const kinds: Readonly<Record<string, readonly [isRight: (value: unknown) => boolean, what: string]>> = {
  integer: [Number.isSafeInteger, 'a whole number'],
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
  string: [(value) => typeof value === 'string', 'a text'],
};
/** What is wrong with the names and types of arguments; null: nothing. The server checks the values. */
const argumentsProblem = (
  { name, inputSchema: { properties } }: Tool,
  args: Record<string, unknown>,
): string | null => {
  for (const [key, value] of Object.entries(args)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (schema === undefined) continue; // urlOf names it
    const [isRight, what] = kinds[String(schema.type ?? 'string')]!;
    if (!isRight(value)) return `${name}: ${key} must be ${what}${typeof value === 'string' ? ', not a text' : ''}`;
  }
  try {
    urlOf('', name as OperationId, args as AnyArgs);
    return null;
  } catch (error) {
    if (error instanceof ArgumentError) return error.message;
    throw error;
  }
};

/** Calls a tool. A wrong call returns a result that describes the mistake, so that the model can correct it. */
export const callTool = async (
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
  ask: Ask,
): Promise<ToolResult> => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined)
    return failed('VALIDATION_ERROR', `There is no tool "${name.slice(0, 100)}"; tools/list has them all`);
  const problem = argumentsProblem(tool, args);
  if (problem !== null) return failed('VALIDATION_ERROR', problem);
  const outcome = await ask(name as OperationId, args as AnyArgs);
  if ('json' in outcome) return { content: [{ type: 'text', text: outcome.json }] };
  if ('data' in outcome) return { content: [{ type: 'text', text: JSON.stringify(outcome.data) }] };
  return failed(outcome.code, outcome.error);
};
