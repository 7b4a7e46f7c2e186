import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TableKeys } from '../../../../src/engine/connection/contract/connection.ts';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { never, query, readError } from '../results.ts';
import { openTrino } from './sessions.ts';

const NO_KEYS: TableKeys = { primary: [], unique: [] };
/** 2024-01-02. */
const DAY = 19_724;
/** What differs for each table. */
const LOCATION = /\n {3}location = .*/;

describe.skipIf(!hasCluster)('a definition on Trino', () => {
  const cluster = useCluster();

  async function open(catalog: 'iceberg' | 'memory' | 'postgresql') {
    const { host, httpPort } = cluster();
    const connect = () => openTrino({ host, port: String(httpPort), user: 'test', catalog });
    const session = await connect();
    const schema = `belongs_${randomUUID().slice(0, 8)}`;
    await query(session, `CREATE SCHEMA ${schema}`);
    onTestFinished(async () => {
      const other = await connect();
      await query(other, `DROP SCHEMA ${schema} CASCADE`);
      await other.close();
    });
    await query(session, `USE ${schema}`);
    const { publishing } = session;
    const target = await publishing.resolve(schema, 'A t', never);
    const show = async (kind: 'TABLE' | 'VIEW') => {
      const [[text] = []] = await query(session, `SHOW CREATE ${kind} "a t"`);
      return String(text).replace(LOCATION, '');
    };
    const read = () => query(session, 'SELECT * FROM "a t"');
    const list = async () => (await query(session, 'SHOW TABLES')).flat();
    const replace = (text: string, keys = NO_KEYS) => publishing.replaceTable(target, text, keys, never);
    return {
      session,
      publishing,
      target,
      show,
      read,
      list,
      replace,
      run: (sql: string) => query(session, sql),
    };
  }

  const ROW = "SELECT 1 AS id, CAST('a' AS varchar) AS s, DATE '2024-01-02' AS d";
  const OPTIONS = {
    iceberg: " WITH (format = 'ORC', partitioning = ARRAY['month(d)'], sorted_by = ARRAY['id'])",
    memory: '',
    postgresql: '',
  };

  it.each(['iceberg', 'memory'] as const)('keeps its comment and properties, on %s', async (catalog) => {
    const { run, replace, show, read, list } = await open(catalog);
    await run(`CREATE TABLE "a t" COMMENT 'it''s, (all)\nof it' ${OPTIONS[catalog]} AS ${ROW}`);
    const before = await show('TABLE');
    expect(before).toContain('of it');
    expect(await replace(ROW.replace('1', '2'))).toBe(1);
    expect(await show('TABLE')).toBe(before);
    const more = await replace(`${ROW.replace('1', '3')}, 4 AS more`, { primary: ['id'], unique: ['s'] });
    expect([more, await read()]).toEqual([1, [[3, 'a', DAY, 4]]]);
    expect(await show('TABLE')).toBe(before.replace('d date\n', 'd date,\n   more integer\n'));
    expect(await list()).toEqual(['a t']);
  });

  it.each(['iceberg', 'memory', 'postgresql'] as const)(
    'keeps the comments and constraints of its columns, on %s',
    async (catalog) => {
      const { run, replace, show, read, list, publishing, target } = await open(catalog);
      // Not all catalogs can create a table with comments.
      const id = catalog === 'memory' ? 'integer' : 'integer NOT NULL';
      await run(`CREATE TABLE "a t" (id ${id}, s varchar, d date) ${OPTIONS[catalog]}`);
      await run(`COMMENT ON COLUMN "a t".d IS 'NOT NULL'`);
      await run(`COMMENT ON TABLE "a t" IS 'all'`);
      await run(`COMMENT ON COLUMN "a t".id IS 'it''s, the id'`);
      await run(`INSERT INTO "a t" ${ROW}`);
      const before = await show('TABLE');
      expect(before).toContain("COMMENT 'it''s, the id'");
      for (const keys of [NO_KEYS, { primary: ['id'], unique: [] }]) {
        expect(await replace(`${ROW.replace('1', '2')} UNION ALL ${ROW.replace('1', '3')}`, keys)).toBe(2);
        expect([await show('TABLE'), (await read()).map(([id]) => id).sort()]).toEqual([before, [2, 3]]);
      }
      expect(await replace(`${ROW} WHERE false`)).toBe(0);
      expect([await show('TABLE'), await read()]).toEqual([before, []]);
      await replace(ROW);
      await publishing.merge(target, ROW.replace("'a'", "'b'"), { key: ['id'], changes: null }, never);
      expect([await show('TABLE'), await read()]).toEqual([before, [[1, 'b', DAY]]]);
      expect(await list()).toEqual(['a t']);
    },
  );

  it.each(['iceberg', 'memory', 'postgresql'] as const)(
    'refuses other columns and a view that would lose a part of it, on %s',
    async (catalog) => {
      const { run, replace, show, read, list, publishing, target } = await open(catalog);
      await run(`CREATE TABLE "a t" ${OPTIONS[catalog]} AS ${ROW}`);
      await run(`COMMENT ON TABLE "a t" IS 'all'`);
      await run(`COMMENT ON COLUMN "a t".id IS 'the id'`);
      const before = [await show('TABLE'), await read()];
      const name = `"${catalog}"."${target.schema}"."a t"`;
      expect((await readError(replace('SELECT 1 AS id'))).message).toBe(
        `the table ${name} cannot be replaced, because its columns or its primary key change, and a new table would lose: COMMENT 'the id' of the column id. Drop what is named here first, or give the publication another name`,
      );
      if (catalog !== 'postgresql') {
        const properties =
          catalog === 'iceberg'
            ? ", format = 'ORC', partitioning = ARRAY['month(d)'], sorted_by = ARRAY['id ASC NULLS FIRST']"
            : '';
        expect((await readError(publishing.replaceView(target, 'SELECT 1 AS id', never))).message).toBe(
          `the table ${name} cannot be replaced, because a view would lose: COMMENT 'the id' of the column id, COMMENT 'all'${properties}. Drop what is named here first, or give the publication another name`,
        );
      }
      expect([await show('TABLE'), await read()]).toEqual(before);
      expect(await list()).toEqual(['a t']);
    },
  );

  it('refuses rows that break it', async () => {
    const { run, replace, show, read } = await open('iceberg');
    await run('CREATE TABLE "a t" (id integer NOT NULL)');
    await replace('SELECT 1 AS id');
    const before = await show('TABLE');
    const { message } = await readError(replace('SELECT CAST(NULL AS integer) AS id'));
    expect(message).toContain('NULL value not allowed for NOT NULL column: id');
    expect([await show('TABLE'), await read()]).toEqual([before, [[1]]]);
  });

  it.each(['iceberg', 'memory'] as const)(
    'of a view keeps its comments and security mode, on %s',
    async (catalog) => {
      const { run, show, read, publishing, target } = await open(catalog);
      await run(`CREATE VIEW "a t" COMMENT 'it''s AS\nof it' SECURITY INVOKER AS SELECT 1 AS id, 2 AS gone`);
      await run(`COMMENT ON COLUMN "a t".id IS 'the id'`);
      await run(`COMMENT ON COLUMN "a t".gone IS 'gone'`);
      await publishing.replaceView(target, 'SELECT 3 AS more, 4 AS id', never);
      expect((await show('VIEW')).split('SELECT')[0]).toMatch(
        / COMMENT 'it''s AS\nof it' SECURITY INVOKER AS\n$/,
      );
      const columns = await run('SHOW COLUMNS FROM "a t"');
      expect(columns.map(([column, , , comment]) => [column, comment])).toEqual([
        ['more', ''],
        ['id', 'the id'],
      ]);
      expect(await read()).toEqual([[3, 4]]);
    },
  );
});
