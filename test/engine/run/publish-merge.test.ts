import { describe, expect, it } from 'vitest';
import { declare, IMPORT } from './publishing-scripts.ts';
import { openScriptSession, type ScriptSession, useKinds } from './script-session.ts';

const COMPARED = [
  ['"merge"', ':update_on_changes_in ["v"]'],
  ['"merge_conditionally"', ':update_on_changes_in ["v"]'],
] as const;

/** Rows of the columns id, v and w. */
function printRows(rows: readonly (readonly [id: string, v: string, w: string])[]): string {
  return rows.map(([id, v, w]) => `SELECT ${id} AS id, ${v} AS v, ${w} AS w`).join(' UNION ALL ');
}

async function merge(
  session: ScriptSession,
  options: string,
  texts: readonly string[],
): Promise<readonly (readonly unknown[])[]> {
  const block = (text: string) =>
    declare('A', `:type "table", :name "merged", :unique_key ["id"], ${options}`, text);
  for (const text of texts) await session.run(`${IMPORT}${block(text)}{{ publication.Run(blocks=[A]) }};`);
  const { rows } = await session.run('SELECT id, v, w FROM merged ORDER BY w');
  return rows.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)));
}

describe.each(useKinds())('a merge on $kind', ({ kind, isThere }) => {
  it.skipIf(!isThere).each(COMPARED)(
    '%s with %s updates the rows in which a compared column differs, where NULL is equal to NULL',
    async (incremental, columns) => {
      const session = await openScriptSession(kind);
      const empty = kind === 'mysql' ? 'CAST(NULL AS CHAR(10))' : 'CAST(NULL AS VARCHAR(10))';
      const first = printRows([
        ['1', "'same'", '10'],
        ['2', "'old'", '20'],
        ['3', empty, '30'],
        ['4', empty, '40'],
        ['5', "'gone'", '50'],
        ['6', "'case'", '60'],
        ['7', "'space'", '70'],
        ['NULL', "'none'", '80'],
      ]);
      const second = printRows([
        ['1', "'same'", '11'],
        ['2', "'new'", '21'],
        ['3', empty, '31'],
        ['4', "'found'", '41'],
        ['5', empty, '51'],
        ['6', "'Case'", '61'],
        ['7', "'space '", '71'],
        ['NULL', "'none'", '81'],
        ['9', "'added'", '90'],
      ]);
      expect(await merge(session, `:incremental ${incremental}, ${columns}`, [first, second])).toEqual([
        [1, 'same', 10],
        [2, 'new', 21],
        [3, null, 30],
        [4, 'found', 41],
        [5, null, 51],
        [6, 'Case', 61],
        [7, 'space ', 71],
        [null, 'none', 80],
        [9, 'added', 90],
      ]);
    },
  );

  it.skipIf(!isThere)('updates no row whose key has other bytes', async () => {
    const session = await openScriptSession(kind);
    const rows = (texts: readonly string[], v: string) =>
      texts.map((id) => `SELECT CAST('${id}' AS VARCHAR(9)) AS id, '${v}' AS v`).join(' UNION ALL ');
    const block = (text: string) =>
      declare('A', ':type "table", :name "texts", :unique_key ["id"], :incremental "merge"', text);
    for (const text of [rows(['e', 'x', 'y'], 'old'), rows(['é', 'X', 'x ', 'y'], 'new')])
      await session.run(`${IMPORT}${block(text)}{{ publication.Run(blocks=[A]) }};`);
    const found = await session.query('SELECT id, v FROM texts');
    expect(found.map(([id, v]) => `${id}:${v}`).sort()).toEqual(
      ['X:new', 'e:old', 'x :new', 'x:old', 'y:new', 'é:new'].sort(),
    );
  });

  it.skipIf(!isThere)('updates every existing row if no columns are compared', async () => {
    const session = await openScriptSession(kind);
    const texts = [
      printRows([['1', "'a'", '10']]),
      printRows([
        ['1', "'a'", '11'],
        ['2', "'b'", '20'],
      ]),
    ];
    expect(await merge(session, ':incremental "merge"', texts)).toEqual([
      [1, 'a', 11],
      [2, 'b', 20],
    ]);
  });

  it.skipIf(!isThere)(
    'compares several columns of other types, and takes their names in any case',
    async () => {
      const session = await openScriptSession(kind);
      const print = (rows: readonly string[]) => rows.map((row) => `SELECT ${row}`).join(' UNION ALL ');
      const text = (w: number, [first, second, third]: readonly [string, string, string]) =>
        print([
          `1 AS Id, CAST('2024-01-01' AS DATE) AS day, CAST(1.50 AS DECIMAL(10, 2)) AS v, ${w} AS w`,
          `2, ${first}, 1.5, ${w}`,
          `3, CAST('2024-01-01' AS DATE), ${second}, ${w}`,
          `4, CAST('2024-01-01' AS DATE), ${third}, ${w}`,
        ]);
      const options =
        ':type "table", :name "merged", :incremental "merge", :primary_key ["ID"], :unique_key ["ID"], :update_on_changes_in ["Day", "V"]';
      const day = (of: string) => `CAST('${of}' AS DATE)`;
      for (const [w, values] of [
        [1, [day('2024-01-01'), '1.5', '1.5']],
        [2, [day('2024-01-02'), '1.5', '1.51']],
      ] as const) {
        await session.run(
          `${IMPORT}${declare('A', options, text(w, values))}{{ publication.Run(blocks=[A]) }};`,
        );
      }
      const { rows } = await session.run('SELECT id, w FROM merged ORDER BY id');
      expect(rows.map((row) => row.map(Number))).toEqual([
        [1, 1],
        [2, 2],
        [3, 1],
        [4, 2],
      ]);
    },
  );
});

describe.each(useKinds())('a primary key on $kind', ({ kind, isThere }) => {
  it.skipIf(!isThere)('is valid after an append and a merge, which are refused otherwise', async () => {
    const session = await openScriptSession(kind);
    const publish = (incremental: string, rows: string) => {
      const keys = ':type "table", :name "keyed", :primary_key ["id"], :unique_key ["n"]';
      const block = declare('A', `${keys}, :incremental ${incremental}`, rows);
      return session.run(`${IMPORT}${block}{{ publication.Run(blocks=[A]) }};`);
    };
    await publish('"append"', 'SELECT 1 AS id, 10 AS n');
    for (const [incremental, rows] of [
      ['"append"', 'SELECT 1 AS id, 20 AS n'],
      ['"append"', 'SELECT NULL AS id, 20 AS n'],
      ['"append"', 'SELECT 2 AS id, 20 AS n UNION ALL SELECT 2, 30'],
      ['"merge"', 'SELECT 1 AS id, 20 AS n'],
      ['"merge"', 'SELECT NULL AS id, 20 AS n'],
    ] as const) {
      await expect(publish(incremental, rows)).rejects.toThrow(/key|null/i);
    }
    expect(await session.query('SELECT id, n FROM keyed')).toEqual([[1, 10]]);
    await publish('"append"', 'SELECT 2 AS id, 20 AS n');
    await publish('"merge"', 'SELECT 2 AS id, 20 AS n UNION ALL SELECT 3, 30');
    expect(await session.query('SELECT id FROM keyed ORDER BY id')).toEqual([[1], [2], [3]]);
  });
});
