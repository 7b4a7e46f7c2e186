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
export const LINKS: Readonly<Record<string, Readonly<Record<number, Readonly<Record<string, Link>>>>>> = {
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
