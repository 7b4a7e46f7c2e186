import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import type { ConnectionKind, ConnectionSpec } from '../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../src/engine/connection/drivers.ts';
import { SQL_DIALECT } from '../../../src/engine/text/sql-dialect.ts';
import type { ExecutionRequest } from '../../../src/execution/contract/request.ts';
import { never, query } from '../../engine/connection/results.ts';
import { declare, IMPORT, publishing } from '../../engine/run/publishing-scripts.ts';
import { toSnapshot, useKinds } from '../../engine/run/script-session.ts';
import { hasCluster, useCluster } from '../../support/trino/use-cluster.ts';
import { errorOf, makeThreadHost, runOn, toRequest } from '../hosts.ts';

const TABLE = publishing(':type "table", :name "t"', 'SELECT 1 AS id');
/** A script with a statement before the publication. */
const precede = (statement: string) => TABLE.replace('{{ publication', `${statement};\n{{ publication`);
const cluster = hasCluster ? useCluster() : null;

function readOptions(kind: ConnectionKind, folder: string): ConnectionSpec['options'] {
  if (kind === 'duckdb') return { file: path.join(folder, 'own.duckdb') };
  if (kind !== 'trino') return inject(kind === 'mysql' ? 'mariadb' : kind)!;
  const { host, httpPort } = cluster!();
  return { host, port: String(httpPort), user: 'test', catalog: 'iceberg' };
}

const toSpec = (kind: ConnectionKind, options: ConnectionSpec['options']) => ({
  name: 'own',
  kind,
  options,
  overrides: {},
});

/** Runs work in a schema that no other test uses, and that is dropped with what it contains. */
function open(kind: ConnectionKind) {
  const { host, folder } = makeThreadHost();
  const options = readOptions(kind, folder);
  const schema = `Dev_"${randomUUID().slice(0, 8)}"`;
  const name = SQL_DIALECT[kind].quoteName(schema);
  const run = (
    work: ExecutionRequest['work'],
    place: Partial<ConnectionSpec> = { overrides: { schema } },
  ) => {
    const connection = { ...toSpec(kind, options), ...place };
    return runOn(host, { ...toRequest('', folder, { work, format: 'json' }), connection });
  };
  const script = (text: string, place?: Partial<ConnectionSpec>) =>
    run({ kind: 'script', snapshot: toSnapshot(text), file: 'main.sql' }, place);
  const sql = (text: string, place?: Partial<ConnectionSpec>) =>
    run({ kind: 'sql', source: { name: 'test.sql', text } }, place);
  onTestFinished(async () => {
    if (kind === 'duckdb') return;
    const session = await (await loadDriver(kind)).connect(toSpec(kind, options), never);
    await query(session, `DROP SCHEMA IF EXISTS ${name}${kind === 'mysql' ? '' : ' CASCADE'}`);
    await session.close();
  });
  return { options, schema, name, script, sql, run };
}

const KINDS = useKinds().filter(({ isThere }) => isThere);

describe.each(KINDS)('a missing schema of an environment on $kind', ({ kind }) => {
  let own: ReturnType<typeof open>;
  beforeEach(() => {
    own = open(kind);
  });

  it('is created once, before a run that publishes', async () => {
    const { schema, script, sql, name } = own;
    const first = await script(precede('SELECT 7'));
    expect(first.outcome).toMatchObject({
      status: 'done',
      schemas: [schema],
      targets: [{ name: 't', status: 'PUBLISHED', action: 'create', rows: 1 }],
    });
    const later = await script(`${TABLE}\nSELECT id FROM {{ A() }}`);
    expect(later.outcome).toMatchObject({ targets: [{ name: 't', action: 'replace' }] });
    expect(later.outcome.schemas).toBeUndefined();
    const read = await sql(`SELECT id FROM ${name}.t`, { overrides: {} });
    expect(JSON.parse(read.output.toString()).result.data).toEqual([[1]]);
  });

  it('is created by two runs at the same time', async () => {
    const { script } = own;
    const view = (at: string) => publishing(`:type "view", :name "v${at}"`, 'SELECT 1 AS id');
    const runs = await Promise.all(['1', '2'].map((at) => script(view(at))));
    expect(runs.map(({ outcome }) => outcome.status)).toEqual(['done', 'done']);
  });

  it('is created for a block that publishes, and not for what only reads or writes files', async () => {
    const { schema, script, sql, run } = own;
    const file = `${declare('A', ':type "csv", :path "a.csv"', 'SELECT 1 AS id')}${IMPORT}{{ publication.Run(blocks=[A]) }};`;
    const skipped = TABLE.replace('{{ publication', '#+if 1 > 2 then {{ publication').replace(
      /;$/,
      '; #+end',
    );
    for (const { outcome } of [await sql('SELECT 1'), await script(file), await script(skipped)]) {
      expect(errorOf(outcome)).toMatchObject({
        code: 'sql',
        message: expect.stringContaining(
          `the connection \`own\` or its environment names the schema \`${schema}\`: create it over another connection, or run a script that publishes a table or a view`,
        ),
      });
    }
    const block = `${declare('A', ':type "table", :name "t"', 'SELECT 1 AS id')}${IMPORT}#+src sql All(): void #+begin {{ publication.Run(blocks=[A]) }} #+end`;
    const { outcome } = await run({ kind: 'block', snapshot: toSnapshot(block), block: 'All', args: {} });
    expect(outcome).toMatchObject({ schemas: [expect.any(String)], targets: [{ status: 'PUBLISHED' }] });
  });

  it('is reported also if the run fails later', async () => {
    const { schema, script } = own;
    const { outcome } = await script(precede('SELECT nope'));
    expect(errorOf(outcome).note).toBe(
      `created the schema before the error: \`${schema}\`; published before the error: nothing`,
    );
    expect((await script(TABLE)).outcome.targets).toHaveLength(1);
  });

  it.skipIf(kind === 'duckdb')('is created also if the connection names it', async () => {
    const { options, schema, script } = own;
    const named = { ...options, [kind === 'mysql' ? 'database' : 'schema']: schema };
    const { outcome } = await script(TABLE, { options: named });
    expect(outcome).toMatchObject({ schemas: [schema], targets: [{ name: 't' }] });
  });

  it('is reported also if a publication names it', async () => {
    const { schema, script } = own;
    const { outcome } = await script(
      publishing(`:type "table", :name "t", :schema ${JSON.stringify(schema)}`, 'SELECT 1 AS id'),
      {
        overrides: {},
      },
    );
    expect(outcome).toMatchObject({ schemas: [expect.any(String)], targets: [{ status: 'PUBLISHED' }] });
  });
});

describe('a missing schema', () => {
  it.each([
    ['postgresql', 'permission denied for database postgres', 'ROLE', "LOGIN PASSWORD 'secret'", 'public'],
    [
      'mysql',
      "Access denied for user 'USER'@'%' to database 'mart'",
      'USER',
      "IDENTIFIED BY 'secret'",
      'test',
    ],
  ] as const)(
    'that the user may not create is an error, and nothing runs, on %s',
    async (kind, reason, word, login, place) => {
      const server = inject(kind === 'mysql' ? 'mariadb' : kind);
      if (server === null) return;
      const user = `reader_${randomUUID().slice(0, 8)}`;
      const admin = await (await loadDriver(kind)).connect(toSpec(kind, server), never);
      onTestFinished(async () => {
        await query(admin, `DROP TABLE ${place}.noted`);
        await query(admin, `DROP ${word} ${user}`);
        await admin.close();
      });
      await query(admin, `CREATE ${word} ${user} ${login}`);
      await query(admin, `CREATE TABLE ${place}.noted (id integer)`);
      await query(admin, `GRANT INSERT ON ${place}.noted TO ${user}`);
      const { script } = open(kind);
      const options = { ...server, user, password: 'secret' };
      const changes = precede(`INSERT INTO ${place}.noted VALUES (1)`);
      const { outcome } = await script(changes, { options, overrides: { schema: 'mart' } });
      expect(errorOf(outcome).message).toBe(
        `the connection \`own\` cannot create its schema \`mart\` (${reason.replace('USER', user)}): create it as another user, or grant the right to create it`,
      );
      expect(errorOf(outcome).note).toBeUndefined();
      expect(await query(admin, `SELECT * FROM ${place}.noted`)).toEqual([]);
    },
  );

  it('of DuckDB may have the name of its file', async () => {
    const { options, script, sql } = open('duckdb');
    const place = { options: { file: options.file!.replace('own.', 'dev.') } };
    const named = { ...place, overrides: { schema: 'dev' } };
    expect((await script(TABLE, named)).outcome).toMatchObject({
      schemas: ['dev'],
      targets: [{ name: 't' }],
    });
    const found = await sql('SELECT schema_name FROM duckdb_tables()', place);
    expect(JSON.parse(found.output.toString()).result.data).toEqual([['dev']]);
  });
});
