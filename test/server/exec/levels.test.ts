import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
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
  /** Who may make a temporary table. */
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

function describeLevels(title: string, server: Server): void {
  describe(`the levels on ${title}`, () => {
    it('decide about each kind of action, for each caller', async () => {
      const world = await createExecWorld();
      await connect(world, server);
      const tokens = await createCallers(world);
      const table = `t_${randomUUID().slice(0, 8)}`;
      const connection = { name: 'shop' };
      const run = (sql: string, token = world.token) => world.exec('sql', { sql, connection }, { token });
      expect((await run(`CREATE TABLE ${table} AS SELECT 1 AS a`)).status).toBe(200);
      await world.put(
        '@Shared/model.yaml',
        modelWith(`    - name: things
      table_name: ${table}
      measures: [{ name: total, data_type: INTEGER, aggregation_type: SUM, expr: a }]
`).replace('platform: duckdb', `platform: ${server.kind}`),
      );
      const options = { model: '@Shared/model.yaml', connection: 'shop' };
      const body = { name: 'model', kind: 'semantic', options };
      await world.ask('POST', '/api/v1/manage/connections', { body });
      const grant = { subject: 'everyone', level: 'READ', target: 'connection:model' };
      await world.ask('PUT', '/api/v1/manage/grants', { body: grant });
      await world.put(
        '@Shared/pub/blocks',
        `#+src sql ToTable() #+meta { :publication { :type "table", :name "${table}_p" } } #+begin SELECT 1 AS a #+end
#+src sql ToFile() #+meta { :publication { :type "csv", :path "${table}.csv", :overwrite true } } #+begin SELECT 1 AS a #+end`,
      );
      const publish = (block: string) =>
        `#+import "std/publication"\n{{ publication.Run(blocks=[${block}]) }};\nSELECT 1 AS a`;
      await world.put('@Shared/pub/table', publish('ToTable'));
      await world.put('@Shared/pub/file', publish('ToFile'));
      const script = (name: string, token: string) =>
        world.exec('script', { path: `@Shared/pub/${name}`, connection }, { token });
      const actions: readonly (readonly [
        string,
        Allowed | null,
        (token: string) => Promise<{ status: number; text: string }>,
      ])[] = [
        ['query', ALL, (token) => run(`SELECT a FROM ${table}`, token)],
        [
          'query in a transaction',
          ALL,
          (token) => run(`START TRANSACTION; SELECT a FROM ${table}; COMMIT`, token),
        ],
        [
          'temporary table',
          server.temporary,
          (token) => run('CREATE TEMPORARY TABLE own AS SELECT 1 AS a', token),
        ],
        ['write', USERS, (token) => run(`INSERT INTO ${table} VALUES (1)`, token)],
        ['definition', USERS, (token) => run(`CREATE TABLE IF NOT EXISTS ${table}_d (a INT)`, token)],
        ['publication of a table', USERS, (token) => script('table', token)],
        ['publication of a file', USERS, (token) => script('file', token)],
        [
          'semantic query',
          ALL,
          (token) =>
            world.exec('sql', { sql: 'SELECT total FROM things', connection: { name: 'model' } }, { token }),
        ],
      ];
      for (const [action, allowed, act] of actions) {
        if (allowed === null) continue;
        for (const [caller, token] of tokens) {
          // A file belongs to its first publisher.
          if (action === 'publication of a file' && !READS.includes(caller) && caller !== 'ADMIN') continue;
          const { status, text } = await act(token);
          const isAllowed = allowed === ALL || !READS.includes(caller);

          expect([action, caller, status, text]).toEqual([action, caller, isAllowed ? 200 : 403, text]);
          if (!isAllowed) expect(JSON.parse(text)).toMatchObject({ code: 'statement_needs_use' });
        }
      }
      await run(`DROP TABLE ${table}`);
      for (const other of ['p', 'd']) await run(`DROP TABLE IF EXISTS ${table}_${other}`);
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
