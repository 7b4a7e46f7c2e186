import { describe, expect, it } from 'vitest';
import { declare, IMPORT } from './publishing-scripts.ts';
import { openScriptSession, readError, type ScriptSession, useKinds } from './script-session.ts';

const METHODS = ['"append"', '"merge"'] as const;

/** The columns of a table, by name. */
type Columns = Readonly<Record<string, string>>;

const STORED: Columns = {
  id: '1',
  whole: '2',
  large: '(SELECT COUNT(*) FROM (SELECT 1 AS x) AS t)',
  price: 'CAST(1.50 AS DECIMAL(10, 2))',
  day: "DATE '2026-01-01'",
  since: "TIMESTAMP '2026-01-01 10:00:00'",
  note: "CAST('a' AS VARCHAR(20))",
};

/** Columns of later rows that the table would change or lose, with what the error says of them. */
const LOSSY: readonly (readonly [columns: Columns, says: RegExp])[] = [
  [
    { whole: '2.7' },
    /`whole` is (?:decimal\(2,1\)|numeric) in the query and int\S* in the table, which may/i,
  ],
  [{ whole: STORED.note! }, /`whole` is .*char.* in the query and int/i],
  [
    { price: 'CAST(1.239 AS DECIMAL(10, 3))' },
    /`price` is (?:decimal|numeric)\(10,3\) in the query and (?:decimal|numeric)\(10,2\) in the table/i,
  ],
  [
    { day: "TIMESTAMP '2026-01-02 23:59:59'" },
    /`day` is (?:datetime|timestamp).* in the query and date in the table/i,
  ],
  [{ extra: '4' }, /the column `extra` \(int.*\) of the query is not in the table/i],
];

/** Columns of later rows that the table stores unchanged. */
const LOSSLESS: readonly Columns[] = [
  { id: '2' },
  {
    id: '3',
    large: '5',
    price: 'CAST(6.2 AS DECIMAL(5, 1))',
    since: STORED.day!,
    note: "CAST('abc' AS VARCHAR(5))",
  },
  { id: '4', whole: 'NULL', large: 'NULL', price: 'NULL', day: 'NULL', since: 'NULL', note: 'NULL' },
];

/** Publishes one row; later rows have their columns in another order. */
async function publish(session: ScriptSession, incremental: string, columns: Columns) {
  const keys = `:type "table", :name "grown", :unique_key ["id"], :incremental ${incremental}`;
  const row = Object.entries(columns).map(([name, value]) => `${value} AS ${name}`);
  const block = declare('A', keys, `SELECT ${row.join(', ')}`);
  await session.run(`${IMPORT}${block}{{ publication.Run(blocks=[A]) }};`);
}

describe.each(useKinds())('new rows for a published table on $kind', ({ kind, isThere }) => {
  it.skipIf(!isThere).each(METHODS)(
    'of %s are refused if the table would change or lose a value',
    async (incremental) => {
      const session = await openScriptSession(kind);
      await publish(session, incremental, STORED);
      const { note: _, ...fewer } = STORED;
      const cases = [
        [fewer, /the column `note` \(.*char.*\) of the table is not in the query/i] as const,
        ...LOSSY.map(([columns, says]) => [{ ...STORED, ...columns }, says] as const),
      ];
      const before = await session.query('SELECT * FROM grown');
      for (const [columns, says] of cases) {
        const { message } = await readError(publish(session, incremental, { ...columns, id: '9' }));
        expect(message).toMatch(says);
        expect(message).toMatch(/^the new rows do not fit .* table `grown`: .*`fullRefresh=true`$/);
      }
      expect(await session.query('SELECT * FROM grown')).toEqual(before);
    },
  );

  it.skipIf(!isThere).each(METHODS)('of %s are stored if their types fit', async (incremental) => {
    const session = await openScriptSession(kind);
    await publish(session, incremental, STORED);
    const { id: _, ...others } = STORED;
    for (const columns of LOSSLESS) await publish(session, incremental, { ...others, ...columns });
    const rows = await session.run('SELECT id, price, note FROM grown ORDER BY id');
    expect(rows.rows.map(([id, price, note]) => [id, price === null ? null : Number(price), note])).toEqual([
      [1, 1.5, 'a'],
      [2, 1.5, 'a'],
      [3, 6.2, 'abc'],
      [4, null, null],
    ]);
  });

  it.skipIf(!isThere).each(METHODS)(
    'of %s are refused if the table would cut blanks at the end of a text',
    async (incremental) => {
      const session = await openScriptSession(kind);
      // DuckDB, and the tables of Iceberg, have texts of any length.
      const hasLength = kind !== 'duckdb' && kind !== 'trino';
      const publishNote = (id: string, note: string) => publish(session, incremental, { id, note });
      await publishNote('1', "CAST('ab ' AS VARCHAR(3))");
      await publishNote('2', "CAST('é  ' AS VARCHAR(3))");
      const cut = publishNote('3', "CAST('abc   ' AS VARCHAR(6))");
      if (!hasLength) await cut;
      else expect((await readError(cut)).message).toMatch(/too long|`note` is varchar\(6\) in the query/i);
      const { rows } = await session.run("SELECT id, CONCAT(note, '|') AS note FROM grown ORDER BY id");
      const kept = hasLength ? [] : [[3, 'abc   |']];
      expect(rows).toEqual([[1, 'ab |'], [2, 'é  |'], ...kept]);
    },
  );
});
