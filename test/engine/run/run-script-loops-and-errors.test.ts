import { describe, expect, it } from 'vitest';
import { DiagnosticError } from '../../../src/engine/text/diagnostic.ts';
import { openScriptSession, readError, rowsOf, SERIES } from './script-session.ts';

describe('a loop over rows', () => {
  it('reads each row as a map, with values of every type', async () => {
    const columns = [
      ['-7::TINYINT', '-7'],
      ['9223372036854775807', '9223372036854775807'],
      ['170141183460469231731687303715884105727::HUGEINT', '170141183460469231731687303715884105727'],
      ['18446744073709551615::UBIGINT', '18446744073709551615'],
      ['2.0::DOUBLE', '2.0'],
      ['0.5::FLOAT', '0.5'],
      ['1e300::DOUBLE', '1e+300'],
      ['1.25::DECIMAL(5, 2)', '1.25'],
      ['0.10::DECIMAL(5, 2)', '0.10'],
      ['-0.05::DECIMAL(2, 2)', '-0.05'],
      ['7::DECIMAL(9, 0)', '7'],
      ['12345678901234567890.12::DECIMAL(38, 2)', '12345678901234567890.12'],
      ['true', 'true'],
      ['NULL', ''],
      ['NULL::INTEGER', ''],
      ["'a text'", 'a text'],
      ["''", ''],
      ["DATE '2020-01-02'", '2020-01-02'],
      ["TIME '01:02:03'", '01:02:03'],
      ["TIMESTAMP '2020-01-02 03:04:05'", '2020-01-02 03:04:05'],
      ['INTERVAL 3 DAY', '3 days'],
      ["'6f2b2a52-0f0e-4a3e-9d5c-0d1c1d1e1f20'::UUID", '6f2b2a52-0f0e-4a3e-9d5c-0d1c1d1e1f20'],
      ["'b'::ENUM ('a', 'b')", 'b'],
      ['\'{"a": 1}\'::JSON', '{"a": 1}'],
      ['[1, 2, NULL]', '1, 2, '],
      ['[]::INTEGER[]', ''],
    ] as const;
    const select = columns.map(([sql], i) => `${sql} AS c${i}`).join(', ');
    const shown = columns.map((_, i) => `'{{ r.c${i} }}'`).join(', ');
    const text = `#+src sql A() #+begin SELECT ${select} #+end\nSELECT #+for r : A() do ${shown} #+end`;
    expect(await rowsOf(text)).toEqual([columns.map(([, value]) => value)]);
  });

  it('reads structs and maps as maps, and numbers for arithmetic', async () => {
    const text = `#+src sql A() #+begin
        SELECT 0.10::DECIMAL(5, 2) AS d, 12345678901234567890.12::DECIMAL(38, 2) AS e, 7::DECIMAL(9, 0) AS w,
          {'x': 1, 'y': {'z': 'deep'}} AS s, MAP {'k': [5, 6]} AS m, 7 AS n, 1.5::DOUBLE AS f, false AS b, NULL AS o
      #+end
      SELECT #+for r : A() do {{ r.s.x + r.n }}, '{{ r.s.y.z }}', {{ r.m.k[1] }}, {{ r[:n] * 2 }}, {{ r["f"] + 1 }},
        #+if r.b or r.o then 1 #+else 0 #+end, #+if r.o == null then 'none' #+end,
        '{{ r.d + 1 }}', '{{ r.e - 0.02 }}', '{{ r.w / 2 }}' #+end`;
    const numbers = ['1.10', '12345678901234567890.10', '3'];
    expect(await rowsOf(text)).toEqual([[8, 'deep', 6, 14, 2.5, 0, 'none', ...numbers]]);
  });

  it('renders SQL for each row, of a block with arguments and of nested blocks', async () => {
    const text = `${SERIES}#+src sql Names(n) #+begin SELECT 'c' || x AS name, x FROM {{ Series(n) }} ORDER BY x DESC #+end
      SELECT #+for r : Names(3) separator ", " before "0 AS first, " after ", 9 AS last" do {{ r.x }} AS {{ r.name }}#+end`;
    const session = await openScriptSession();
    const { columns, rows } = await session.run(text);
    expect(columns).toEqual(['first', 'c2', 'c1', 'c0', 'last']);
    expect(rows).toEqual([[0, 2, 1, 0, 9]]);
    expect(await session.listTemporary()).toEqual([]);
  });

  it('refuses two columns of one name', async () => {
    const text =
      '#+src sql A() #+begin SELECT 1 AS x, 2 AS y, 3 AS x #+end\nSELECT #+for r : A() do {{ r.x }} #+end';
    await expect(rowsOf(text)).rejects.toThrow('columns 1 and 3 of the block `A` are both named `x`');
  });

  it('renders no SQL without rows', async () => {
    expect(
      await rowsOf(`${SERIES}SELECT 1 #+for r : Series(0) before ", 2" do , {{ r.x }}#+end AS x`),
    ).toEqual([[1]]);
  });

  it('sees the effects of the statements before it', async () => {
    const text = `#+src sql Log() #+begin FROM log #+end
      CREATE TABLE log AS SELECT 1 AS x; INSERT INTO log VALUES (2);
      SELECT #+for r : Log() separator " + " do {{ r.x }}#+end AS sum`;
    expect(await rowsOf(text)).toEqual([[3]]);
  });

  it('can contain statements, whose effects the next loop sees', async () => {
    const text = `#+src sql Log() #+begin SELECT x FROM log ORDER BY x #+end
      CREATE TABLE log AS SELECT 1 AS x;
      #+for i : [1, 2] do #+for r : Log() do INSERT INTO log VALUES ({{ r.x }} + 10 * {{ i }}); #+end #+end
      FROM log ORDER BY x`;
    expect(await rowsOf(text)).toEqual([[1], [11], [21], [31]]);
  });

  it('can have at most 10,000 rows', async () => {
    const loop = (n: number) =>
      `${SERIES}SELECT count(*) FROM (VALUES #+for r : Series(${n}) separator "," do ({{ r.x }})#+end) t`;
    expect(await rowsOf(loop(10_000))).toEqual([[10_000]]);
    expect(await readError(rowsOf(loop(10_001)))).toMatchObject({
      line: 2,
      column: 40,
      message: 'a loop is limited to 10000 rows, and the block `Series` has more',
    });
  });

  it('needs a block that ends with a query', async () => {
    const text = `#+src sql A() #+begin CREATE TABLE t AS SELECT 1 AS x #+end\nSELECT #+for r : A() do {{ r.x }} #+end`;
    expect((await readError(rowsOf(text))).message).toContain('it does not end with a query');
  });

  it.each([
    ['alone', 'CREATE TABLE t AS SELECT 1 AS x'],
    ['after others', 'CREATE TEMP TABLE t(x INTEGER); INSERT INTO t VALUES (1)'],
  ])('reports a call whose block ends with another kind of statement, %s', async (_, body) => {
    const text = `#+src sql A() #+begin ${body} #+end\nSELECT * FROM {{ A() }}`;
    expect(await readError(rowsOf(text))).toMatchObject({
      line: 2,
      column: 18,
      message:
        'the block `A` has no rows: it does not end with a query; declare a block that only has effects as `: void`',
    });
  });
});

describe('the errors of a script', () => {
  it.each([
    ['of a name in a query', 'SELECT 1,\n    nope FROM range(3)', { line: 4, column: 5 }],
    [
      'of a name in a query with a random function',
      'SELECT random(),\n    nope FROM range(3)',
      { line: 4, column: 5 },
    ],
    ['in a statement before the last', 'CREATE TABLE q AS\n SELECT nope;\n SELECT 1', { line: 4, column: 9 }],
    [
      'in a last statement after others',
      'CREATE TABLE q (x INTEGER);\n SELECT nope FROM q',
      { line: 4, column: 9 },
    ],
    ['of syntax', 'SELECT 1\n  FROM WHERE', { line: 4, column: 8 }],
    [
      'after an expression',
      "SELECT '{{ n + 1000000 }}' AS x,\n  '{{ n }}' AS y, nope",
      { line: 4, column: 19 },
    ],
    ['after a loop', '\nSELECT #+for i : [1, 2, 3] do {{ i }},\n #+end\n nope', { line: 6, column: 2 }],
    [
      'in a loop',
      '\nSELECT #+for i : ["1", "nope"] separator "," do\n {{ i }} #+end',
      { line: 5, column: 2 },
    ],
    ['in a macro', 'SELECT 1, {{ M() }}', { file: 'macros.sql', line: 1, column: 30 }],
    ['after a parameter', "SELECT '$long' AS x,\n  '$long', nope", { line: 4, column: 12 }],
  ])('have the position in the block for an error of the database: %s', async (_, body, place) => {
    const files = {
      'main.sql': 'SELECT 1;\n\nSELECT * FROM {{ Broken(1) }}',
      'blocks.sql': `#+src sql Broken(n)\n#+begin\n  ${body}\n#+end`,
      'macros.sql': "#+macro M() #+begin 'äöü💛', nope #+end",
    };
    const expected = { file: 'blocks.sql', ...place };
    expect(await readError(rowsOf(files, { params: { long: 'long '.repeat(50) } }))).toMatchObject(expected);
    const within = {
      ...files,
      'main.sql': '{{ Outer() }}\n#+src sql Outer() #+begin SELECT * FROM {{ Broken(1) }} #+end',
    };
    expect(await readError(rowsOf(within, { params: { long: 'x' } }))).toMatchObject(expected);
    const loop = { ...files, 'main.sql': 'SELECT 1 #+for r : Broken(1) do #+end' };
    expect(await readError(rowsOf(loop, { params: { long: '' } }))).toMatchObject(expected);
    const asTest = { ...files, 'main.sql': '#+test sql T() #+begin FROM {{ Broken(1) }} #+end' };
    const session = await openScriptSession();
    const { tests } = await session.run(asTest, { params: { long: 'y' } });
    expect(tests).toMatchObject([{ status: 'FAILED', diagnostics: [expected] }]);
  });

  it('have the position in a void block', async () => {
    const text = '{{ Init() }};\n#+src sql Init(): void\n#+begin\n  SELECT 1; SELECT nope;\n#+end';
    expect(await readError(rowsOf(text))).toMatchObject({ line: 4, column: 20 });
  });

  it('have the position in the script, after calls of any length', async () => {
    const text = `${SERIES}SELECT * FROM {{ Series(3) }} AS a, {{ Series(  4  ) }} AS b\n WHERE nope = 1`;
    expect(await readError(rowsOf(text))).toMatchObject({ file: 'main.sql', line: 3, column: 8 });
  });

  it('have the position in a block with random rows', async () => {
    const text = `#+src sql Late() #+begin
      SELECT CAST(CASE WHEN range = 500000 THEN 'late' ELSE '1' END AS INTEGER) AS x, random() FROM range(1000000)
      #+end
      SELECT 1 AS first; SELECT max(x) FROM {{ Late() }}`;
    const error = await readError(rowsOf(text));
    expect(error).toMatchObject({ file: 'main.sql', line: 2 });
    expect(error.message).toContain("'late'");
  });

  it.each([
    ['of the answer', ''],
    ['of a later result set', 'SELECT 1; '],
  ])('include an error that occurs while rows are read: %s', async (_, before) => {
    const text = `${SERIES}${before}SELECT CASE WHEN x = 500000 THEN error('too late') ELSE '1' END FROM {{ Series(1000000) }}`;
    const error = await readError(rowsOf(text));
    expect(error.message).toContain('too late');
    expect(error).toMatchObject({ file: 'main.sql', line: 2 });
  });

  it('have the position in the block for an error in a loop over rows', async () => {
    const text = `#+src sql Late() #+begin
      SELECT CASE WHEN range = 5000 THEN error('too late') ELSE '1' END AS x FROM range(9000)
      #+end
      SELECT 1 #+for r : Late() do #+end`;
    const error = await readError(rowsOf(text));
    expect(error.message).toContain('too late');
    expect(error).toMatchObject({ file: 'main.sql', line: 2 });
  });

  it('end the script: earlier statements stay, later ones do not run', async () => {
    const session = await openScriptSession();
    const text = 'CREATE TABLE t AS SELECT 1 AS x; INSERT INTO t SELECT nope; INSERT INTO t VALUES (3)';
    await readError(session.run(text));
    expect(await session.query('FROM t')).toEqual([[1]]);
  });

  it('have the position of a call without rows', async () => {
    const text =
      '#+src sql A(n) #+begin #+if n then SELECT 1 #+end #+end\nSELECT 1;\nSELECT *\n FROM {{ A(false) }}';
    const message = 'the block `A` has no statement with these arguments, so it has no rows';
    expect(await readError(rowsOf(text))).toMatchObject({ line: 4, column: 10, message });
    const loop =
      '#+src sql A(n) #+begin #+if n then SELECT 1 #+end #+end\nSELECT 1 #+for r : A(false) do #+end';
    expect(await readError(rowsOf(loop))).toMatchObject({ line: 2, column: 20, message });
  });

  it('have the position of a call of a void block inside a statement', async () => {
    const text = '#+src sql Init(): void #+begin SELECT 1 #+end\nSELECT 1;\nSELECT * FROM {{ Init() }}';
    expect((await readError(rowsOf(text))).line).toBe(3);
  });

  it('include a parameter without a value before a script of plain SQL runs', async () => {
    const session = await openScriptSession();
    const error = await readError(session.run('CREATE TABLE t (x INTEGER);\nSELECT $nope'));
    expect(error).toMatchObject({ line: 2, column: 8 });
    expect(error.message).toContain('--param nope');
    expect(await session.query('FROM duckdb_tables() SELECT count(*)')).toEqual([[0n]]);
  });

  it.each([
    [
      'a block that calls itself with other arguments',
      '#+src sql A(n) #+begin #+if n > 0 then FROM {{ A(n - 1) }} #+else SELECT 1 #+end #+end\nFROM {{ A(1) }}',
    ],
    [
      'void blocks that call one another',
      '#+src sql A(): void #+begin {{ B() }} #+end\n#+src sql B(): void #+begin {{ A() }} #+end\n{{ A() }}',
    ],
    [
      'a loop over its own rows',
      '#+src sql A() #+begin SELECT 1 #+for r : A() do #+end #+end\nFROM {{ A() }}',
    ],
  ])('show a cycle of calls: %s', async (_, text) => {
    expect((await readError(rowsOf(text))).message).toContain('in a cycle: `A`');
  });

  it('include all syntax errors before anything runs', async () => {
    const session = await openScriptSession();
    const text = 'CREATE TABLE t (x INTEGER); SELECT {{ Nothing }};\nSELECT {{ Nobody() }}';
    const error = await session.run(text).catch((thrown: unknown) => thrown);
    expect((error as DiagnosticError).diagnostics.map(({ line }) => line)).toEqual([1, 2]);
    expect(error).toBeInstanceOf(DiagnosticError);
    expect(await session.query('FROM duckdb_tables() SELECT count(*)')).toEqual([[0n]]);
  });
});
