import { afterAll, expect, it } from 'vitest';
import { type CopyFormat, printCells } from '../../../web/components/results/copy/copy-rows.ts';
import { encodeQuery, openMemory } from '../../engine/result/encode.ts';
import { readSource } from './arrow-bytes.ts';

const connection = await openMemory();
afterAll(() => connection.close());

const SQL = `
  SELECT * FROM (VALUES
    (1, 'plain', 12.50, true, 'nan'::DOUBLE, DATE '2024-01-02', '\\x00A'::BLOB),
    (2, 'a "b", c' || chr(10) || 'd' || chr(9) || 'e|f', NULL, NULL, 1e300, NULL, NULL),
    (-3, '', -0.05, false, '-inf', 'infinity', ''::BLOB),
    (4, 'it''s #1', 0, NULL, 2.5, NULL, NULL),
    (5, NULL, 0, NULL, NULL, NULL, NULL)) t(id, "the ""text""", price, flag, ratio, day, bytes)`;

/** All cells of the result. */
async function copy(format: CopyFormat, withHeader = true, sql = SQL): Promise<string> {
  const source = await readSource(connection, sql);
  const rows = Array.from({ length: source.rowCount }, (_, row) => row);
  return printCells(format, { source, rows, columns: source.columns.map((_, i) => i) }, withHeader);
}

it('copies CSV and Markdown as a download has them', async () => {
  expect(await copy('CSV')).toBe(await encodeQuery(connection, 'csv', SQL));
  expect(await copy('Markdown')).toBe(await encodeQuery(connection, 'markdown', SQL));
});

it('copies without a header', async () => {
  const all = await encodeQuery(connection, 'csv', SQL);
  expect(await copy('CSV', false)).toBe(all.slice(all.indexOf('\n') + 1));
});

it('copies TSV as spreadsheets read it', async () => {
  expect(
    await copy('TSV', true, `SELECT 1 AS a, 'x' || chr(9) || 'y "z"' AS "b c", NULL AS d, '' AS e`),
  ).toBe('a\tb c\td\te\n1\t"x\ty ""z"""\t\t\n');
});

it('copies an INSERT statement that makes the same rows again', async () => {
  await connection.run(
    `CREATE TABLE table_name AS SELECT * FROM (${SQL}) WHERE false`,
    new AbortController().signal,
  );
  const statement = await copy('SQL INSERT');
  expect(statement).toContain(
    `INSERT INTO table_name ("id", "the ""text""", "price", "flag", "ratio", "day", "bytes")`,
  );
  expect(statement).toContain(`(-3, '', -0.05, false, '-inf', 'infinity', '')`);
  await connection.run(statement, new AbortController().signal);
  expect(await encodeQuery(connection, 'csv', 'SELECT * FROM table_name')).toBe(
    await encodeQuery(connection, 'csv', SQL),
  );
});

it('copies the chosen rows and columns in their order', async () => {
  const source = await readSource(
    connection,
    "SELECT i, 'n' || i AS name, i * 2 AS twice FROM range(5) r(i)",
  );
  expect(printCells('TSV', { source, rows: [3, 0], columns: [2, 1] }, true)).toBe(
    'twice\tname\n6\tn3\n0\tn0\n',
  );
});

it('refuses a selection that is too large', async () => {
  const wide = await readSource(connection, 'SELECT i, 1, 2 FROM range(200000) r(i)');
  const long = await readSource(connection, "SELECT repeat('x', 1000000) FROM range(80)");
  const copyAll = (source: typeof wide) => () =>
    printCells(
      'CSV',
      { source, rows: Array(source.rowCount).fill(0), columns: source.columns.map((_, i) => i) },
      false,
    );
  expect(copyAll(wide)).toThrow('The selection is too large to copy');
  expect(copyAll(long)).toThrow('The selection is too large to copy');
});
