import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import type { Answer } from '../../support/http.ts';
import { modelWith } from '../../support/models.ts';
import { makeFolder } from '../../support/quern.ts';
import { hasCluster, useCluster } from '../../support/trino/use-cluster.ts';
import { createExecWorld, type ExecWorld } from './world.ts';

/** The callers, by their role, their grant on the connection and the scope of their token. */
const CALLERS = {
  'VIEWER with MANAGE': { role: 'VIEWER', level: 'MANAGE' },
  'EDITOR with READ': { role: 'EDITOR', level: 'READ' },
  'EDITOR with USE': { role: 'EDITOR', level: 'USE' },
  'EDITOR with MANAGE': { role: 'EDITOR', level: 'MANAGE' },
  ADMIN: { role: 'ADMIN', level: null },
  'ADMIN, scope query': { role: 'ADMIN', level: null, scope: 'query' },
} as const;

const READS = ['VIEWER with MANAGE', 'EDITOR with READ', 'ADMIN, scope query'];

/** What each caller gets, by the action. */
const ALL = 'all';
const USERS = 'users';
type Allowed = typeof ALL | typeof USERS;

interface Server {
  readonly kind: string;
  readonly options: () => Record<string, string>;
  /** The callers that may make a temporary table. */
  readonly temporary: Allowed | null;
}

const postgresql = inject('postgresql');
const mariadb = inject('mariadb');

async function connect({ ask }: ExecWorld, { kind, options }: Server): Promise<void> {
  const { password, ...plain } = options();
  const secrets = password === undefined ? {} : { secrets: { password } };
  const body = { name: 'shop', kind, options: plain, ...secrets };
  const { status, text } = await ask('POST', '/api/v1/manage/connections', { body });
  if (status !== 201) throw new Error(text);
}

async function createCallers(world: ExecWorld): Promise<ReadonlyMap<string, string>> {
  const tokens = new Map<string, string>();
  for (const [caller, { role, level, ...token }] of Object.entries(CALLERS)) {
    const name = `the-${caller}`.toLowerCase().replaceAll(/\W+/g, '-');
    tokens.set(caller, await world.createUser(name, role, token));
    if (level === null) continue;
    const body = { subject: `user:${name}`, level, target: 'connection:shop' };
    const { status, text } = await world.ask('PUT', '/api/v1/manage/grants', { body });
    if (status !== 200) throw new Error(text);
  }
  return tokens;
}

interface Action {
  readonly name: string;
  readonly allowed: Allowed;
  /** The callers that try it; all by default. */
  readonly callers?: readonly string[];
  readonly act: (token: string) => Promise<Answer>;
}

/** Stores a table, a model of it, and scripts that publish; returns what callers try. */
async function prepare(
  world: ExecWorld,
  { kind, temporary }: Server,
  table: string,
): Promise<readonly Action[]> {
  const connection = { name: 'shop' };
  const run = (sql: string) => (token: string) => world.exec('sql', { sql, connection }, { token });
  const publish = (name: string) => (token: string) =>
    world.exec('script', { path: `@Shared/pub/${name}`, connection }, { token });
  expect((await run(`CREATE TABLE ${table} AS SELECT 1 AS a`)(world.token)).status).toBe(200);
  const model = modelWith(`    - name: things
      table_name: ${table}
      measures: [{ name: total, data_type: INTEGER, aggregation_type: SUM, expr: a }]
`);
  await world.put('@Shared/model.yaml', model.replace('platform: duckdb', `platform: ${kind}`));
  const options = { model: '@Shared/model.yaml', connection: 'shop' };
  await world.ask('POST', '/api/v1/manage/connections', {
    body: { name: 'model', kind: 'semantic', options },
  });
  const grant = { subject: 'everyone', level: 'READ', target: 'connection:model' };
  await world.ask('PUT', '/api/v1/manage/grants', { body: grant });
  await world.put(
    '@Shared/pub/blocks',
    `#+src sql ToTable() #+meta { :publication { :type "table", :name "${table}_p" } } #+begin SELECT 1 AS a #+end
#+src sql ToFile() #+meta { :publication { :type "csv", :path "${table}.csv" } } #+begin SELECT 1 AS a #+end`,
  );
  for (const block of ['ToTable', 'ToFile']) {
    const script = `#+import "std/publication"\n{{ publication.Run(blocks=[${block}]) }};\nSELECT 1 AS a`;
    await world.put(`@Shared/pub/${block}`, script);
  }
  const question = { sql: 'SELECT total FROM things', connection: { name: 'model' } };
  return [
    { name: 'query', allowed: ALL, act: run(`SELECT a FROM ${table}`) },
    { name: 'transaction', allowed: ALL, act: run(`START TRANSACTION; SELECT a FROM ${table}; COMMIT`) },
    { name: 'semantic query', allowed: ALL, act: (token) => world.exec('sql', question, { token }) },
    ...(temporary === null
      ? []
      : [{ name: 'temporary', allowed: temporary, act: run('CREATE TEMPORARY TABLE own AS SELECT 1 AS a') }]),
    { name: 'write', allowed: USERS, act: run(`INSERT INTO ${table} VALUES (1)`) },
    { name: 'definition', allowed: USERS, act: run(`CREATE TABLE IF NOT EXISTS ${table}_d (a INT)`) },
    { name: 'published table', allowed: USERS, act: publish('ToTable') },
    // A file belongs to its first publisher.
    { name: 'published file', allowed: USERS, callers: [...READS, 'ADMIN'], act: publish('ToFile') },
  ];
}

/** The status of an action, and the code of a refusal. */
function print({ status, text }: Answer): string {
  return status === 200 ? '200' : `${status} ${JSON.parse(text).code}`;
}

function describeLevels(title: string, server: Server): void {
  describe(`the levels on ${title}`, () => {
    it('decide about each kind of action, for each caller', async () => {
      const world = await createExecWorld();
      await connect(world, server);
      const tokens = await createCallers(world);
      const table = `t_${randomUUID().slice(0, 8)}`;
      for (const { name, allowed, callers = [...tokens.keys()], act } of await prepare(
        world,
        server,
        table,
      )) {
        const seen = [];
        for (const caller of callers) seen.push(`${caller}: ${print(await act(tokens.get(caller)!))}`);
        const isAllowed = (caller: string) => allowed === ALL || !READS.includes(caller);
        const expected = callers.map(
          (caller) => `${caller}: ${isAllowed(caller) ? '200' : '403 statement_needs_use'}`,
        );
        expect([name, seen]).toEqual([name, expected]);
      }
      for (const suffix of ['', '_p', '_d'])
        await world.exec('sql', { sql: `DROP TABLE ${table}${suffix}`, connection: { name: 'shop' } });
    });
  });
}

describeLevels('DuckDB', {
  kind: 'duckdb',
  options: () => ({ file: `${makeFolder()}/shop.duckdb` }),
  temporary: ALL,
});
if (postgresql !== null)
  describeLevels('PostgreSQL', { kind: 'postgresql', options: () => postgresql, temporary: USERS });
if (mariadb !== null) describeLevels('MariaDB', { kind: 'mysql', options: () => mariadb, temporary: USERS });

describe.skipIf(!hasCluster)('a cluster', () => {
  const cluster = useCluster();
  describeLevels('Trino', {
    kind: 'trino',
    options: () => {
      const { host, httpPort } = cluster();
      return {
        host,
        port: String(httpPort),
        user: 'test',
        catalog: 'memory',
        schema: 'default',
        sslmode: 'disable',
      };
    },
    temporary: null,
  });
});
