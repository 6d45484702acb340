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
import { ArgumentError } from './url.ts';
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
    required: Object.keys(params),
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});
type Tool = ReturnType<typeof toolOf>;

export const tools: Tool[] = Object.values<Operation>(operations).map(toolOf);

/** The result of an operation: its data, as a value or as JSON, or its failure. */
export type Outcome = { data: unknown } | { json: string } | { code: string; error: string };
/** Sends the GET of an operation. Throws an ArgumentError on unknown arguments. */
export type Ask = (id: OperationId, args: AnyArgs) => Promise<Outcome>;

export interface ToolResult {
  content: { type: 'text'; text: string }[];
  isError?: true;
  [key: string]: unknown;
}
const failed = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true });

const isArgs = (args: Record<string, unknown>): args is AnyArgs =>
  Object.values(args).every((value) => ['string', 'number', 'boolean'].includes(typeof value));

/** Calls a tool. A wrong call returns a result that describes the mistake, so that the model can correct it. */
export const callTool = async (
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
  ask: Ask,
): Promise<ToolResult> => {
  if (!Object.hasOwn(operations, name))
    return failed(`There is no tool ${name.slice(0, 100)}; tools/list has them all.`);
  const id = name as OperationId;
  if (!isArgs(args)) return failed(`Each argument of ${id} must be a text, a number, true or false.`);
  const outcome = await ask(id, args).catch((error: unknown) => {
    if (error instanceof ArgumentError) return { code: 'VALIDATION_ERROR', error: error.message };
    throw error;
  });
  if ('json' in outcome) return { content: [{ type: 'text', text: outcome.json }] };
  if ('data' in outcome) return { content: [{ type: 'text', text: JSON.stringify(outcome.data) }] };
  const remedy = errorRemedy[outcome.code as ErrorCode] ?? '';
  return failed(`${outcome.code}: ${outcome.error.replace(/\.$/, '')}. ${remedy}`.trim());
};
