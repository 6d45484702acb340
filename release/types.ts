// Generates the types of the released client from the contract's schemas: the resources with their descriptions, and
// the arguments and result of each operation. A test compares them with the contract's own types.
import { operations } from '../packages/contract/src/index.ts';
import { resources } from '../packages/contract/src/openapi-schemas.ts';
import type { Operation } from '../packages/contract/src/operation.ts';

interface Schema {
  type?: string;
  title?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  'x-extensible-enum'?: string[];
  '~says'?: string;
}

const literals = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(' | ');
const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
/** The element type of an array: a union needs parentheses. */
const element = (type: string): string => (/[|&]/.test(type.replace(/\{[\s\S]*\}/, '')) ? `(${type})` : type);

const members = ({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string => {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const said = comment(schema['~says'] ?? schema.description, inner);
    return `${said}${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)};\n`;
  });
  const more = additionalProperties === true ? ' & Record<string, unknown>' : '';
  return `{\n${lines.join('')}${indent}}${more}`;
};

const typeOf = (schema: Schema, indent = ''): string => {
  if (schema.title !== undefined) return schema.title;
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ');
  if (schema['x-extensible-enum'] !== undefined) return `${literals(schema['x-extensible-enum'])} | (string & {})`;
  if (schema.enum !== undefined) return literals(schema.enum);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.type === 'array') return `${element(typeOf(schema.items ?? {}, indent))}[]`;
  if (schema.type === 'object') return members(schema, indent);
  const plain: Record<string, string> = {
    integer: 'number',
    number: 'number',
    boolean: 'boolean',
    string: 'string',
    null: 'null',
  };
  return plain[schema.type ?? ''] ?? 'unknown';
};

const declaration = (name: string, schema: Schema): string => {
  const { title: _, ...unnamed } = schema;
  const body =
    unnamed.anyOf === undefined ? `interface ${name} ${members(unnamed, '')}` : `type ${name} = ${typeOf(unnamed)};`;
  return `${comment(schema.description, '')}export ${body}\n`;
};

/** Pages of the same kind differ only in the type of their items. */
const listTypes = { page: 'Page', slice: 'Slice' } as const;
const listInterface = (answer: 'page' | 'slice'): string => {
  const { data } = Object.values<Operation>(operations).find((operation) => operation.answer === answer)!;
  const schema = data as Schema;
  const items = { ...schema.properties!.items, items: { title: 'Item' } } as Schema;
  const body = members({ ...schema, properties: { ...schema.properties, items } }, '');
  return `${comment(schema.description, '')}export interface ${listTypes[answer]}<Item> ${body}\n`;
};

const dataType = ({ answer, data }: Operation): string => {
  if (answer !== 'page' && answer !== 'slice') return typeOf(data as Schema, '  ');
  return `${listTypes[answer]}<${typeOf((data as Schema).properties!.items!.items!, '  ')}>`;
};

const argsType = ({ params, query }: Operation): string => {
  const lines = Object.entries({ ...params, ...query }).map(([name, schema]) => {
    const isPath = name in params;
    const type = typeOf(schema as Schema, '    ');
    const said = comment((schema as Schema).description, '    ');
    return `${said}    ${name}${isPath ? '' : '?'}: ${type}${isPath ? '' : ' | undefined'};\n`;
  });
  return `{\n${lines.join('')}  }`;
};

/** The text of the client's types.ts in a release. */
export const releasedTypes = (): string => {
  const all = Object.values<Operation>(operations);
  const each = (make: (operation: Operation) => string) =>
    all.map((operation) => `${comment(operation.summary, '  ')}  ${operation.id}: ${make(operation)};\n`).join('');
  return `// Arguments and results of the operations, generated from the contract at release.
${Object.entries(resources)
  .map(([name, schema]) => declaration(name, schema as Schema))
  .join('\n')}
${listInterface('page')}
${listInterface('slice')}
export interface AllArgs {
${each(argsType)}}

export interface AllData {
${each(dataType)}}

/** The arguments of an operation: its path and query parameters. */
export type Args<Id extends keyof AllArgs> = AllArgs[Id];
/** What an operation returns: \`data\` of the envelope. */
export type Data<Id extends keyof AllData> = AllData[Id];
`;
};
