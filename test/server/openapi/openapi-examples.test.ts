import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeMetadata } from '../../identity/saml/saml-world.ts';
import { modelWith } from '../../support/models.ts';
import { createExecWorld } from '../exec/world.ts';

interface Operation {
  readonly operationId: string;
  readonly 'x-codeSamples': readonly [{ readonly source: string }];
}

const file = path.resolve(import.meta.dirname, '../../../docs/openapi.json');
const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = JSON.parse(
  readFileSync(file, 'utf8'),
).paths;

/** The id in examples, in place of a real one. */
const ID = '0195f6a2-0000-7000-8000-000000000000';
const run = promisify(execFile);

const MODEL = modelWith(`    - name: orders
      query: SELECT 1 AS id
      measures:
      - { name: orders, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }
`);
const ORDERS = '#+src sql Orders(min=0)\n#+begin\nSELECT {{ min }} AS min\n#+end\n';

/** The ids of the operations, in an order in which their examples can run. */
const ORDER: readonly string[] = [
  'checkLiveness',
  'checkReadiness',
  'getMetrics',
  'getMe',
  'listNamespaces',
  'createFolder',
  'createAsset',
  'listFolder',
  'getAsset',
  'updateFolder',
  'updateAsset',
  'listConnectionKinds',
  'createConnection',
  'listConnections',
  'getConnection',
  'listTables',
  'listFunctions',
  'testConnection',
  'changeConnection',
  'listConnectionUsers',
  'putConnection',
  'createUser',
  'listUsers',
  'createInvitation',
  'listInvitations',
  'deleteInvitation',
  'getUser',
  'updateUser',
  'changeUsers',
  'listUserSessions',
  'endUserSessions',
  'endUserSession',
  'createGroup',
  'listGroups',
  'getGroup',
  'updateGroup',
  'addGroupMembers',
  'listGroupMembers',
  'removeGroupMember',
  'putGrant',
  'listGrants',
  'restrictAsset',
  'explainGrant',
  'getOwnLevel',
  'listAccess',
  'listLevels',
  'searchCatalog',
  'countFolder',
  'listRevisions',
  'restoreRevision',
  'deleteGrant',
  'changeGrants',
  'createToken',
  'listTokens',
  'getToken',
  'deleteToken',
  'runSql',
  'runScript',
  'runBlock',
  'runBundle',
  'listExecutions',
  'getExecution',
  'getExecutionResult',
  'listExecutionResults',
  'getExecutionResultBytes',
  'downloadExecutionResult',
  'deleteExecution',
  'getSemanticModel',
  'generateSql',
  'generateStatements',
  'getSaml',
  'updateSaml',
  'compareSamlMetadata',
  'refreshSamlMetadata',
  'applySamlMetadata',
  'renewSamlCertificate',
  'activateSamlCertificate',
  'linkSamlUser',
  'unlinkSamlUsers',
  'startSamlTest',
  'getSamlTest',
  'deleteSaml',
  'listAuditEntries',
  'listAuditActions',
  'listSettings',
  'getServer',
  'createBackup',
  'listBackups',
  'downloadBackup',
  'deleteBackup',
  'exportAuditEntries',
  'listQueries',
  'listScimRequests',
  'listSsoFailures',
  'createScimUser',
  'listScimUsers',
  'getScimUser',
  'replaceScimUser',
  'patchScimUser',
  'searchScimUsers',
  'createScimGroup',
  'listScimGroups',
  'getScimGroup',
  'replaceScimGroup',
  'patchScimGroup',
  'searchScimGroups',
  'searchScimResources',
  'getScimConfiguration',
  'listScimResourceTypes',
  'getScimResourceType',
  'listScimSchemas',
  'getScimSchema',
  'deleteScimUser',
  'deleteScimGroup',
  'purgeRevision',
  'deleteAsset',
  'deleteFolder',
  'deleteFolderTree',
  'changeItems',
  'listDeletedItems',
  'restoreDeletedItem',
  'deleteDeletedItem',
  'restoreDeletedItems',
  'deleteConnection',
  'deleteGroup',
  'stopUser',
  'deleteUser',
];

/** The operations need an identity provider that this machine can reach, or a browser. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  compareSamlMetadata: /^422$/,
  refreshSamlMetadata: /^409$/,
  applySamlMetadata: /^409$/,
  endUserSession: /^404$/,
  deleteInvitation: /^404$/,
  downloadBackup: /^404$/,
  deleteBackup: /^404$/,
  deleteDeletedItem: /^404$/,
};

it('each operation has an example that runs', async () => {
  const world = await createExecWorld({}, undefined, { baseUrl: 'https://quern.example.org' });
  const saml = { body: { metadata: await makeMetadata() } };
  await world.ask('PUT', '/api/v1/manage/sso/saml', saml);
  await world.put('@Shared/shop/orders', ORDERS);
  await world.put('@Shared/shop/model.yaml', MODEL);
  const options = { model: '@Shared/shop/model.yaml', connection: 'duckdb' };
  await world.ask('POST', '/api/v1/manage/connections', {
    body: { name: 'shop', kind: 'semantic', options },
  });
  const later = { headers: { prefer: 'respond-async' } };
  const execute = async (query = '') => {
    const started = await world.sql('SELECT 42 AS x', {}, { ...later, query });
    const { id } = started.body as { id: string };
    await expect
      .poll(async () => (await world.ask('GET', `/api/v1/executions/${id}`)).text)
      .toContain('"state":"done"');
    return id;
  };

  const operations = new Map(
    Object.entries(paths).flatMap(([target, methods]) =>
      Object.values(methods).map(
        ({ operationId, 'x-codeSamples': [{ source }] }): [string, { target: string; source: string }] => [
          operationId,
          { target, source },
        ],
      ),
    ),
  );
  expect([...operations.keys()].toSorted()).toEqual(ORDER.toSorted());
  const failed: string[] = [];
  const made: Record<string, string> = {
    executions: await execute(),
    results: await execute('?results=all'),
  };
  for (const operationId of ORDER) {
    const { target, source } = operations.get(operationId)!;
    const kind =
      /\/(?:executions\/\{id\}\/)?(results|executions|Users|Groups|tests|deleted)\b/.exec(target)?.[1] ?? '';
    const command = source
      .replace('http://127.0.0.1:8080', world.url)
      .replace(ID, made[kind] ?? ID)
      .replace(/(\brevision\W+)4\b/, `$1${made.revision}`);
    const { stdout } = await run('sh', ['-c', `${command} -s -w '\\n%{http_code}'`], {
      env: { ...process.env, TOKEN: world.token },
    });
    const [, body, status] = /^([\s\S]*)\n(\d+)$/.exec(stdout)!;
    const wanted = REFUSED[operationId] ?? /^20[0-4]$/;
    if (!wanted.test(status!)) failed.push(`${operationId}: ${status} ${body}`);
    if (/^(createScim|startSamlTest)/.test(operationId)) made[kind] = JSON.parse(body!).id;
    if (operationId === 'listDeletedItems') made.deleted = JSON.parse(body!).data[0].id;
    if (operationId === 'listRevisions') made.revision = JSON.parse(body!).data.at(-1).revision;
  }
  expect(failed).toEqual([]);
});
