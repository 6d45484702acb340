// Finds the breaking changes between two OpenAPI documents. Requests for the old one must still be accepted, and
// responses of the new one must still fit the old schemas: both are the question whether one schema is a subset of
// another.

type Node = Readonly<Record<string, unknown>>;
/** A schema with the document that its references point into. */
interface Side {
  schema: Node;
  document: Node;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const nodeOf = (value: unknown): Node => (isNode(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const equal = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const follow = (document: Node, node: Node): Node =>
  typeof node.$ref === 'string'
    ? nodeOf(
        node.$ref
          .slice(2)
          .split('/')
          .reduce<unknown>((at, key) => nodeOf(at)[key], document),
      )
    : node;

const typesOf = ({ type }: Node): readonly unknown[] => (Array.isArray(type) ? type : type === undefined ? [] : [type]);
const valuesOf = (schema: Node): readonly unknown[] | undefined =>
  'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
const alternativesOf = ({ schema, document }: Side): Side[] => {
  const whole = follow(document, schema);
  const inner = [...listOf(whole.anyOf), ...listOf(whole.oneOf)];
  return inner.length === 0
    ? [{ schema: whole, document }]
    : inner.flatMap((alternative) => alternativesOf({ schema: nodeOf(alternative), document }));
};

const lower = ['minimum', 'minLength', 'minItems'];
const upper = ['maximum', 'maxLength', 'maxItems'];
const compared = [
  ...lower,
  ...upper,
  'type',
  'const',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
];
/** Keywords that do not restrict values. The default of a parameter is compared in parameterBreaks. */
const isAnnotation = (keyword: string): boolean =>
  /^(description|title|example|examples|default|deprecated|\$comment|\$ref|x-.*)$/.test(keyword);

const scalarProblems = (part: Node, whole: Node): string[] => {
  const problems: string[] = [];
  const types = typesOf(whole);
  const isCovered = (type: unknown) => types.includes(type) || (type === 'integer' && types.includes('number'));
  const others = typesOf(part).filter((type) => !isCovered(type));
  if (types.length > 0 && (others.length > 0 || typesOf(part).length === 0))
    problems.push(`type ${others.join(', ') || 'any'} is not ${types.join(', ')}`);
  const [values, allowed] = [valuesOf(part), valuesOf(whole)];
  const more = values?.filter((value) => !allowed?.includes(value));
  if (allowed !== undefined && (more === undefined || more.length > 0))
    problems.push(`${more?.join(', ') ?? 'any value'} is not one of ${allowed.join(', ')}`);
  const isLess = (a: unknown, b: unknown) => a === undefined || Number(a) < Number(b);
  for (const keyword of lower)
    if (keyword in whole && isLess(part[keyword], whole[keyword]))
      problems.push(`${keyword} is not the same or higher`);
  for (const keyword of upper)
    if (keyword in whole && (part[keyword] === undefined || isLess(whole[keyword], part[keyword])))
      problems.push(`${keyword} is not the same or lower`);
  // Every other constraint of the superset must be in the subset unchanged.
  for (const keyword of Object.keys(whole))
    if (!compared.includes(keyword) && !isAnnotation(keyword) && !equal(part[keyword], whole[keyword]))
      problems.push(`${keyword} is not the same`);
  return problems;
};

/** The reasons why `part` is not a subset of `whole`. New keys of an object are allowed: callers ignore them. */
const problemsOf = (part: Side, whole: Side, at: string): string[] => {
  const wholes = alternativesOf(whole);
  return alternativesOf(part).flatMap((one) => {
    const [best = []] = wholes.map((other) => alternativeProblems(one, other, at)).sort((a, b) => a.length - b.length);
    return best;
  });
};
const alternativeProblems = (part: Side, whole: Side, at: string): string[] => {
  const inside = (name: 'items' | 'additionalProperties', suffix: string): string[] =>
    isNode(whole.schema[name])
      ? problemsOf(
          { ...part, schema: nodeOf(part.schema[name]) },
          { ...whole, schema: nodeOf(whole.schema[name]) },
          `${at}${suffix}`,
        )
      : [];
  const properties = nodeOf(part.schema.properties);
  return [
    ...scalarProblems(part.schema, whole.schema).map((problem) => `${at}: ${problem}`),
    ...inside('items', '[]'),
    ...inside('additionalProperties', '.*'),
    ...Object.entries(nodeOf(whole.schema.properties)).flatMap(([name, schema]) => {
      if (!(name in properties)) return [`${at}.${name} is gone`];
      const isOptional = listOf(whole.schema.required).includes(name) && !listOf(part.schema.required).includes(name);
      return [
        ...(isOptional ? [`${at}.${name} may be absent`] : []),
        ...problemsOf(
          { ...part, schema: nodeOf(properties[name]) },
          { ...whole, schema: nodeOf(schema) },
          `${at}.${name}`,
        ),
      ];
    }),
  ];
};

const parametersOf = (document: Node, operation: Node): Map<string, Node> =>
  new Map(
    listOf(operation.parameters)
      .map((parameter) => follow(document, nodeOf(parameter)))
      .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
  );
const parameterBreaks = (before: Node, after: Node, old: Node, now: Node): string[] => {
  const [olds, nows] = [parametersOf(before, old), parametersOf(after, now)];
  const added = [...nows].filter(([key, parameter]) => !olds.has(key) && parameter.required === true);
  return [
    ...added.map(([key]) => `${key} is new and required`),
    ...[...olds].flatMap(([key, parameter]) => {
      const next = nows.get(key);
      if (next === undefined) return [`${key} is gone`];
      const [sent, taken] = [nodeOf(parameter.schema), nodeOf(next.schema)];
      return [
        ...(next.required === true && parameter.required !== true ? [`${key} is required`] : []),
        ...(equal(sent.default, taken.default) ? [] : [`${key} has another default`]),
        ...['style', 'explode'].filter((name) => !equal(parameter[name], next[name])).map((name) => `${key}: ${name}`),
        ...problemsOf({ schema: sent, document: before }, { schema: taken, document: after }, key),
      ];
    }),
  ];
};

const responseBreaks = (before: Node, after: Node, old: Node, now: Node): string[] => {
  const [olds, nows] = [nodeOf(old.responses), nodeOf(now.responses)];
  const isSuccess = (status: string) => status.startsWith('2');
  const added = Object.keys(nows).filter((status) => isSuccess(status) && !(status in olds));
  return [
    ...added.map((status) => `success ${status} is new`),
    ...Object.keys(olds).flatMap((status) => {
      if (!(status in nows)) return isSuccess(status) ? [`success ${status} is gone`] : [];
      const [was, is] = [follow(before, nodeOf(olds[status])), follow(after, nodeOf(nows[status]))];
      const headers = Object.keys(nodeOf(was.headers)).filter((name) => !(name in nodeOf(is.headers)));
      return [
        ...headers.map((name) => `${status}: header ${name} is gone`),
        ...Object.entries(nodeOf(was.content)).flatMap(([type, media]) => {
          const next = nodeOf(is.content)[type];
          if (next === undefined) return [`${status}: ${type} is gone`];
          const [expected, given] = [nodeOf(nodeOf(media).schema), nodeOf(nodeOf(next).schema)];
          return problemsOf({ schema: given, document: after }, { schema: expected, document: before }, status);
        }),
      ];
    }),
  ];
};

/** The alternative credentials of an operation, each as the schemes that it combines; '' is a call without any. */
const waysIn = (document: Node, { security = document.security }: Node): string[] => {
  const ways = listOf(security).map((way) => Object.keys(nodeOf(way)).sort().join(' and '));
  return ways.length === 0 ? [''] : ways;
};
const securityBreaks = (before: Node, after: Node, old: Node, now: Node): string[] => {
  const [ways, schemes] = [waysIn(after, now), (document: Node) => nodeOf(nodeOf(document.components).securitySchemes)];
  return waysIn(before, old).flatMap((way) => {
    if (!ways.includes(way)) return [way === '' ? 'needs a credential' : `does not take ${way}`];
    const callable = (document: Node) => {
      const { type, scheme, in: place, name } = nodeOf(schemes(document)[way]);
      return [type, scheme, place, name];
    };
    return equal(callable(before), callable(after)) ? [] : [`${way} is another kind of credential`];
  });
};

/** The breaking changes for callers of the older document, one line each. */
export const breaksOf = (before: Node, after: Node): string[] =>
  Object.entries(nodeOf(before.paths)).flatMap(([path, item]) =>
    Object.entries(nodeOf(item)).flatMap(([method, operation]) => {
      if (!isNode(operation)) return [];
      const now = nodeOf(nodeOf(after.paths)[path])[method];
      const name = `${method.toUpperCase()} ${path}`;
      if (!isNode(now)) return [`${name} is gone`];
      const sides = [before, after, operation, now] as const;
      return [
        ...(operation.operationId === now.operationId ? [] : ['the operationId is another']),
        ...securityBreaks(...sides),
        ...parameterBreaks(...sides),
        ...responseBreaks(...sides),
      ].map((problem) => `${name}: ${problem}`);
    }),
  );
