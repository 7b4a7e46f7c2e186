import { afterEach, describe, expect, inject, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { postgresqlDriver } from '../../../../src/engine/connection/postgresql/driver.ts';
import { never, query, readError } from '../results.ts';

const server = inject('postgresql');
const open: Connection[] = [];
let count = 0;

afterEach(async () => {
  for (const connection of open.splice(0)) await connection.close();
});

/** A session, and a table in a separate schema, which two views read, one of them through the other. */
async function prepare() {
  const options = { ...server! };
  const connection = await postgresqlDriver.connect(
    { name: 'test', kind: 'postgresql', options, overrides: {} },
    never,
  );
  open.push(connection);
  count += 1;
  const schema = `views_${count}`;
  const { publishing } = connection;
  const target = await publishing.resolve(schema, 'base', never);
  const replace = (sql: string) => publishing.replaceTable(target, sql, { primary: [], unique: [] }, never);
  const run = (sql: string) => query(connection, sql.replaceAll('$', schema));
  await replace('SELECT 1 AS id, 2 AS n');
  await run('CREATE VIEW $.first AS SELECT id, n FROM $.base');
  await run('CREATE VIEW $.second AS SELECT f.n, b.id FROM $.first AS f JOIN $.base AS b USING (id)');
  return { connection, publishing, target, replace, run, schema };
}

describe.skipIf(server === null)('a published object that views read', () => {
  it('may get other columns, and the views read it as before', async () => {
    const { replace, run } = await prepare();
    await run('DROP ROLE IF EXISTS looks');
    await run('CREATE ROLE looks');
    await run('GRANT SELECT ON $.base, $.second TO looks WITH GRANT OPTION');
    await run('GRANT SELECT ON $.first TO PUBLIC');
    await replace("SELECT 1 AS id, 'new' AS more, 5 AS n");
    expect(await run('SELECT n, id FROM $.second')).toEqual([[5, 1]]);
    const rights = `SELECT table_name::text, grantee::text, is_grantable::text FROM information_schema.table_privileges
      WHERE table_schema = '$' AND grantee IN ('looks', 'PUBLIC') ORDER BY ALL_COLUMNS`;
    expect(await run(rights.replace('ALL_COLUMNS', '1, 2'))).toEqual([
      ['base', 'looks', 'YES'],
      ['first', 'PUBLIC', 'NO'],
      ['second', 'looks', 'YES'],
    ]);
    await run('DROP OWNED BY looks');
    await run('DROP ROLE looks');
  });

  it('is unchanged when one of the views can no longer read it', async () => {
    const { replace, run } = await prepare();
    const error = await readError(replace('SELECT 1 AS id'));
    expect(error.message).toMatch(
      /The view "views_\d+"\."first" cannot read the new "views_\d+"\."base": .*n/,
    );
    expect(await run('SELECT n, id FROM $.second')).toEqual([[2, 1]]);
    expect(await run('SELECT * FROM $.base')).toEqual([[1, 2]]);
  });

  it.each([
    ['is not a plain view', 'CREATE MATERIALIZED VIEW $.kept AS SELECT n FROM $.first'],
    [
      'has rights in columns',
      'CREATE VIEW $.kept AS SELECT n FROM $.base; GRANT SELECT (n) ON $.kept TO PUBLIC',
    ],
    [
      'has defaults of columns',
      'CREATE VIEW $.kept AS SELECT n FROM $.base; ALTER VIEW $.kept ALTER n SET DEFAULT 1',
    ],
    ['has view options', 'CREATE VIEW $.kept WITH (security_barrier) AS SELECT n FROM $.base'],
  ])('keeps its columns when the new one %s', async (reason, statement) => {
    const { replace, run } = await prepare();
    for (const own of statement.split('; ')) await run(own);
    const error = await readError(replace('SELECT 1 AS id, 7 AS n, 0 AS more'));
    expect(error.message).toContain(reason);
    expect(error.message).toContain('"kept"');
    await replace('SELECT 1 AS id, 8 AS n');
    expect(await run('SELECT n FROM $.first')).toEqual([[8]]);
  });

  it('may become a view, a view with other columns, and a table again', async () => {
    const { publishing, target, replace, run } = await prepare();
    await publishing.replaceView(target, 'SELECT 1 AS id, 3 AS n', never);
    expect(await run('SELECT n, id FROM $.second')).toEqual([[3, 1]]);
    await publishing.replaceView(target, "SELECT 'x' AS more, 4 AS n, 1 AS id", never);
    expect(await run('SELECT n, id FROM $.second')).toEqual([[4, 1]]);
    await replace('SELECT 1 AS id, 5 AS n');
    expect(await run('SELECT n, id FROM $.second')).toEqual([[5, 1]]);
    expect(await publishing.find(target, never)).toBe('table');
  });

  it('keeps the options and comments of a view, and of the views that read it', async () => {
    const { publishing, target, run } = await prepare();
    await publishing.replaceView(target, 'SELECT 1 AS id, 3 AS n', never);
    await run('ALTER VIEW $.base SET (security_invoker = true, security_barrier = true)');
    const read = () =>
      run(`SELECT relname::text, reloptions::text, obj_description(pg_class.oid), attname::text, col_description(attrelid, attnum)
        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
        WHERE relnamespace = '$'::regnamespace AND relname IN ('base', 'first') ORDER BY 1, attname`);
    for (const [object, comment] of [
      ['VIEW $.base', "it''s the base"],
      ['COLUMN $.base.n', 'a number'],
      ['VIEW $.first', 'the first'],
      ['COLUMN $.first.id', 'an id'],
    ]) {
      await run(`COMMENT ON ${object} IS '${comment}'`);
    }
    const [options, whole] = ['{security_invoker=true,security_barrier=true}', "it's the base"];
    const first = [
      ['first', null, 'the first', 'id', 'an id'],
      ['first', null, 'the first', 'n', null],
    ];
    const number = ['base', options, whole, 'n', 'a number'];
    await publishing.replaceView(target, 'SELECT 2 AS id, 3 AS n', never);
    expect(await read()).toEqual([['base', options, whole, 'id', null], number, ...first]);
    await publishing.replaceView(target, "SELECT 'x' AS more, 4 AS n, 1 AS id", never);
    const added = ['base', options, whole, 'more', null];
    expect(await read()).toEqual([['base', options, whole, 'id', null], added, number, ...first]);
    await run('ALTER VIEW $.base ALTER n SET DEFAULT 7');
    const before = await read();
    const { message } = await readError(publishing.replaceView(target, 'SELECT 1 AS n, 2 AS id', never));
    expect(message).toMatch(
      /^the view "views_\d+"\."base" cannot be replaced, because its columns change, and a new view would lose: default of the column n\. Drop/,
    );
    expect(await read()).toEqual(before);
  });

  it('keeps what belongs to it if its columns stay, and is refused if they change', async () => {
    const { publishing, target, replace, run } = await prepare();
    await run('DROP VIEW $.first CASCADE');
    for (const statement of [
      'ALTER TABLE $.base ENABLE ROW LEVEL SECURITY',
      'CREATE POLICY tenant ON $.base USING (id = 1)',
      'GRANT SELECT (id) ON $.base TO PUBLIC',
      "COMMENT ON COLUMN $.base.n IS 'a number'",
      'CREATE INDEX base_n ON $.base (n)',
      'CREATE STATISTICS $.base_s ON id, n FROM $.base',
      'ALTER TABLE $.base REPLICA IDENTITY FULL',
    ]) {
      await run(statement);
    }
    const id = "SELECT '$.base'::regclass::oid::text";
    const before = await run(id);
    await replace('SELECT 1 AS id, 6 AS n UNION ALL SELECT 2, 7');
    expect(await run('SELECT * FROM $.base ORDER BY id')).toEqual([
      [1, 6],
      [2, 7],
    ]);
    expect(await run(id)).toEqual(before);
    const lost =
      /cannot be replaced, because .*: comments, index base_n, policy tenant, replica identity, rights of the column id, row-level security, statistics base_s\. Drop/;
    expect((await readError(replace('SELECT 1 AS id'))).message).toMatch(lost);
    const view = publishing.replaceView(target, 'SELECT 1 AS id, 2 AS n', never);
    expect((await readError(view)).message).toMatch(lost);
    expect(await run(id)).toEqual(before);
  });

  it.each([
    [
      'trigger stop',
      'CREATE TRIGGER stop BEFORE INSERT ON $.base FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    ],
    ['rule stop', 'CREATE RULE stop AS ON INSERT TO $.base DO INSTEAD NOTHING'],
  ])('is refused while a %s could change the new rows', async (name, statement) => {
    const { replace, run } = await prepare();
    await run(statement);
    const error = await readError(replace('SELECT 1 AS id, 6 AS n'));
    expect(error.message).toContain(`these could change or hide new rows: ${name}.`);
    expect(await run('SELECT * FROM $.base')).toEqual([[1, 2]]);
  });

  it('is refused while a foreign key would delete the rows of another table', async () => {
    const { run, publishing, target } = await prepare();
    const replace = (n: number) =>
      publishing.replaceTable(target, `SELECT 1 AS id, ${n} AS n`, { primary: ['id'], unique: [] }, never);
    await run('DROP VIEW $.first CASCADE');
    await replace(2);
    await run('CREATE TABLE $.part (id INT CONSTRAINT part_base REFERENCES $.base ON DELETE CASCADE)');
    await run('INSERT INTO $.part VALUES (1)');
    await run('CREATE INDEX base_n ON $.base (n)');
    expect((await readError(replace(3))).message).toContain('hide new rows: foreign key part_base.');
    expect(await run('SELECT * FROM $.part')).toEqual([[1]]);
  });

  it('gets no rights by default that others did not have', async () => {
    const { replace, run } = await prepare();
    await run('DROP VIEW $.first CASCADE');
    await run('ALTER DEFAULT PRIVILEGES IN SCHEMA $ GRANT SELECT ON TABLES TO PUBLIC');
    await run('REVOKE ALL ON $.base FROM PUBLIC');
    await replace('SELECT 1 AS other');
    const found = "SELECT has_table_privilege('pg_monitor', '$.base', 'SELECT')";
    expect(await run(found)).toEqual([[false]]);
    await run('ALTER DEFAULT PRIVILEGES IN SCHEMA $ REVOKE SELECT ON TABLES FROM PUBLIC');
  });

  it('keeps the rights of other users when nothing reads it', async () => {
    const { replace, run } = await prepare();
    await run('DROP VIEW $.first CASCADE');
    await run('GRANT SELECT ON $.base TO PUBLIC');
    await replace('SELECT 1 AS other');
    expect(await run("SELECT has_table_privilege('pg_monitor', '$.base', 'SELECT')")).toEqual([[true]]);
  });
});
