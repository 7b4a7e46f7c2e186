import type { FastifySchema } from 'fastify';
import type { Example } from '../http/operation.ts';

/** The parts of a route's schema that are not in the document as they are, under a key that `@fastify/swagger` copies. */
const KEY = 'x-operation';
type Described = Pick<FastifySchema, 'example' | 'hasOptionalBody' | 'links' | 'scope'>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  example?: unknown;
}

interface Content {
  example?: unknown;
  schema?: object;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, Content>; required?: boolean };
  readonly responses: Record<string, { $ref?: string; links?: unknown }>;
  'x-codeSamples'?: readonly unknown[];
  'x-scope'?: string;
  [KEY]?: Described;
}

/** The part of a document that is described here. */
interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Keeps what a route's schema says about its operation for `describeOperations`. */
export function keepDescription<Schema extends FastifySchema>({
  example,
  hasOptionalBody,
  links,
  scope,
  ...schema
}: Schema) {
  return { ...schema, [KEY]: { example, hasOptionalBody, links, scope } satisfies Described };
}

/** Gives each operation of a document its example and its links. */
export function describeOperations(document: object, base: string): void {
  for (const [path, operations] of Object.entries((document as Document).paths ?? {})) {
    for (const [method, operation] of Object.entries(operations)) {
      const { [KEY]: described = {} } = operation;
      delete operation[KEY];
      describe(operation, described, `${base}${path}`, method.toUpperCase());
    }
  }
}

function describe(operation: Operation, described: Described, url: string, method: string): void {
  const { example = {}, hasOptionalBody, links = {}, scope } = described;
  if (scope !== undefined) operation['x-scope'] = scope;
  const { parameters = {}, body } = example;
  for (const parameter of operation.parameters ?? []) {
    if (parameter.name in parameters) parameter.example = parameters[parameter.name];
  }
  for (const content of Object.values(operation.requestBody?.content ?? {})) {
    content.example = body;
    if (hasOptionalBody === true) content.schema = { anyOf: [content.schema, { type: 'null' }] };
  }
  if (operation.requestBody !== undefined) operation.requestBody.required = hasOptionalBody !== true;
  operation['x-codeSamples'] = [
    { lang: 'Shell', label: 'curl', source: printCommand(operation, example, url, method) },
  ];
  for (const [status, responseLinks] of Object.entries(links)) {
    const response = operation.responses[status];
    if (response !== undefined && response.$ref === undefined) response.links = responseLinks;
  }
}

/** The example as a command, whose token is in the variable `TOKEN`. */
function printCommand(
  operation: Operation,
  { parameters = {}, body }: Example,
  url: string,
  method: string,
): string {
  const named = (operation.parameters ?? []).filter(({ name }) => name in parameters);
  const target = named
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name }) => text.replace(`{${name}}`, encodeURIComponent(String(parameters[name]))), url);
  const query = new URLSearchParams(
    named
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }): [string, string] => [name, String(parameters[name])]),
  );
  const headers = named
    .filter((parameter) => parameter.in === 'header')
    .map(({ name }) => ` -H ${quote(`${name}: ${parameters[name]}`)}`);
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  const content =
    type === undefined ? '' : ` -H ${quote(`Content-Type: ${type}`)} -d ${quote(JSON.stringify(body))}`;
  const search = query.size === 0 ? '' : `?${query}`;
  return `curl -X ${method} -H "Authorization: Bearer $TOKEN"${headers.join('')}${content} ${quote(`${target}${search}`)}`;
}

/** A text as one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
