import type { OperationText } from './operation-text.ts';
import { OPERATIONS } from './operations.ts';

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
  operationId?: string;
  description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, Content>; required?: boolean };
  readonly responses: Record<string, { $ref?: string; links?: unknown }>;
  'x-codeSamples'?: readonly unknown[];
}

/** The part of a document that is described here. */
interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Gives each operation of a document its id, its description, an example and its links. */
export function describeOperations(document: object, base: string): void {
  for (const [path, operations] of Object.entries((document as Document).paths ?? {})) {
    for (const [method, operation] of Object.entries(operations)) {
      const text = OPERATIONS[`${method.toUpperCase()} ${path}`];
      if (text !== undefined) describe(operation, text, `${base}${path}`, method.toUpperCase());
    }
  }
}

function describe(operation: Operation, text: OperationText, url: string, method: string): void {
  const { id, description, parameters = {}, body, hasOptionalBody } = text;
  operation.operationId = id;
  operation.description = description;
  for (const parameter of operation.parameters ?? []) {
    if (parameter.name in parameters) parameter.example = parameters[parameter.name];
  }
  for (const content of Object.values(operation.requestBody?.content ?? {})) {
    content.example = body;
    if (hasOptionalBody === true) content.schema = { anyOf: [content.schema, { type: 'null' }] };
  }
  if (operation.requestBody !== undefined) operation.requestBody.required = hasOptionalBody !== true;
  operation['x-codeSamples'] = [
    { lang: 'Shell', label: 'curl', source: printCommand(operation, text, url, method) },
  ];
  for (const [status, links] of Object.entries(LINKS[id] ?? {})) {
    const response = operation.responses[status];
    if (response !== undefined && response.$ref === undefined) response.links = links;
  }
}

/** The example as a command, whose token is in the variable `TOKEN`. */
function printCommand(
  operation: Operation,
  { parameters = {}, body }: OperationText,
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

/** An OpenAPI link: parameters of another operation, as runtime expressions over a response. */
interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const linksTo = (
  parameters: Readonly<Record<string, string>>,
  ...ids: readonly string[]
): Readonly<Record<string, Link>> =>
  Object.fromEntries(ids.map((operationId) => [operationId, { operationId, parameters }]));

const inBody = (parameter: string, field = parameter) => ({ [parameter]: `$response.body#/${field}` });
const path = inBody('path');
const change = { ...path, 'if-match': '$response.header.etag' };
const execution = linksTo(inBody('id'), 'getExecution', 'getExecutionResult', 'deleteExecution');
const scim = (kind: string) =>
  linksTo(inBody('id'), ...['get', 'replace', 'patch', 'delete'].map((verb) => `${verb}Scim${kind}`));
const later = { 202: execution };

/** The links by operation id and by the status of the response that they use. */
const LINKS: Readonly<Record<string, Readonly<Record<number, Readonly<Record<string, Link>>>>>> = {
  createFolder: {
    201: { ...linksTo(path, 'listFolder', 'getAsset'), ...linksTo(change, 'updateFolder', 'deleteFolder') },
  },
  createAsset: { 201: { ...linksTo(path, 'getAsset'), ...linksTo(change, 'updateAsset', 'deleteAsset') } },
  getAsset: { 200: linksTo(change, 'updateAsset', 'deleteAsset') },
  createConnection: { 201: linksTo(inBody('name'), 'getConnection', 'putConnection', 'deleteConnection') },
  createUser: { 201: linksTo(inBody('user_name'), 'getUser', 'updateUser', 'deleteUser') },
  createGroup: { 201: linksTo(inBody('name'), 'getGroup', 'addGroupMembers', 'deleteGroup') },
  createToken: { 201: linksTo(inBody('id'), 'deleteToken') },
  putGrant: {
    200: linksTo({ ...inBody('subject'), ...inBody('target') }, 'deleteGrant'),
  },
  runSql: later,
  runScript: later,
  runBlock: later,
  runBundle: later,
  listExecutions: { 200: linksTo(inBody('id', 'data/0/id'), 'getExecution') },
  createScimUser: { 201: scim('User') },
  createScimGroup: { 201: scim('Group') },
  listScimUsers: { 200: linksTo(inBody('id', 'Resources/0/id'), 'getScimUser') },
  listScimGroups: { 200: linksTo(inBody('id', 'Resources/0/id'), 'getScimGroup') },
};
