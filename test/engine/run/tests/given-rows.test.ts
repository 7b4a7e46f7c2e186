import { describe, expect, it } from 'vitest';
import { openScriptSession, type RunOptions, useKinds } from '../script-session.ts';

const KINDS = useKinds();

/** A published block over an unpublished one, over a table that does not exist. */
const toBlocks = (kind: string) => `#+src sql Orders()
#+begin SELECT CAST(1 AS INTEGER) AS id, CAST('x' AS ${kind === 'mysql' ? 'CHAR' : 'VARCHAR'}(10)) AS customer, CAST(1.5 AS DECIMAL(8, 2)) AS amount,
  CAST('2026-01-01' AS DATE) AS day #+end
#+src sql Totals()
#+meta { :publication { :type "table", :name "totals" } }
#+begin SELECT customer, SUM(amount) AS total, COUNT(*) AS orders FROM {{ Orders() }} AS o GROUP BY customer #+end
`;
const given = (rows: string, more = '') => `:given [ { :block Orders, :rows [ ${rows} ]${more} } ]`;
const ROWS = `{ :id 1, :customer "a", :amount "12.50", :day "2026-03-01" }, { :id 2, :customer "a", :amount 2 }, { :id 3, :amount 0.25 }`;
const test = (meta: string, body = 'SELECT customer, total FROM {{ Totals() }} AS t') =>
  `#+test sql Totalled()\n#+meta { ${meta} }\n#+begin ${body} #+end\n`;

const BLOCKS = toBlocks('duckdb');

describe.each(KINDS)('given rows on $kind', ({ kind, isThere }) => {
  const blocks = toBlocks(kind);

  async function run(script: string, options?: RunOptions) {
    const session = await openScriptSession(kind);
    const { tests } = await session.run(script, options);
    expect(await session.listTemporary()).toEqual([]);
    return (tests ?? []).map(({ status, rows, sample, message }) => ({
      status,
      rows,
      sample: sample?.rows,
      message,
    }));
  }

  it.skipIf(!isThere)('replace a block in each call, and other blocks are computed', async () => {
    const expected = `:expect [ { :customer "a", :total "14.5" }, { :customer null, :total "0.250" } ]`;
    expect(await run(`${blocks}${test(`${given(ROWS)}, ${expected}`)}`)).toMatchObject([
      { status: 'PASSED', rows: 0 },
    ]);
  });

  it.skipIf(!isThere)('replace a block in a loop', async () => {
    const body = '#+for o : Orders() separator " UNION ALL " do SELECT {{ o.id }} AS id #+end';
    const expected = ':expect [ { :id 1 }, { :id 2 }, { :id 3 } ]';
    expect(await run(`${blocks}${test(`${given(ROWS)}, ${expected}`, body)}`)).toMatchObject([
      { status: 'PASSED', rows: 0 },
    ]);
  });

  it.skipIf(!isThere)('show missing and surplus rows', async () => {
    const expected = `:expect [ { :customer "a", :orders 3 }, { :customer null, :orders 1 } ]`;
    const body = 'SELECT customer, orders FROM {{ Totals() }} AS t';
    expect(await run(`${blocks}${test(`${given(ROWS)}, ${expected}`, body)}`)).toMatchObject([
      {
        status: 'FAILED',
        rows: 2,
        sample: [
          ['missing', 'a', '3'],
          ['surplus', 'a', '2'],
        ],
      },
    ]);
  });

  it.skipIf(!isThere)(
    'keep the types of the block, also without rows and with the types of the test',
    async () => {
      const body = 'SELECT SUM(amount) AS total, COUNT(*) AS n FROM {{ Orders() }} AS o';
      const none = `${given('')}, :expect [ { :total null, :n 0 } ]`;
      expect(await run(`${blocks}${test(none, body)}`)).toMatchObject([{ status: 'PASSED' }]);
      const missing = blocks.replace(
        "CAST('2026-01-01' AS DATE) AS day",
        "CAST('2026-01-01' AS DATE) AS day FROM not_there",
      );
      const typed = given(
        '{ :amount "3.25" }',
        ', :types { :id "INTEGER", :amount "DECIMAL(8, 2)" }',
      ).replace('"INTEGER"', kind === 'mysql' ? '"SIGNED"' : '"INTEGER"');
      const expected = ':expect [ { :total "3.25", :n 1 } ]';
      expect(await run(`${missing}${test(`${typed}, ${expected}`, body)}`)).toMatchObject([
        { status: 'PASSED' },
      ]);
      expect(await run(`${missing}${test(`${given('{ :id 1 }')}, ${expected}`, body)}`)).toMatchObject([
        { status: 'FAILED', message: expect.stringMatching(/not_there/i) },
      ]);
    },
  );

  it.skipIf(!isThere)('refuse unknown columns, and values that a column would change', async () => {
    const refused = async (row: string) => (await run(`${blocks}${test(given(row))}`))[0]!.message;
    expect(await refused('{ :custmer "a" }')).toContain('has no column `custmer`, did you mean `customer`?');
    const changed = await refused('{ :id 1, :amount "12.505" }');
    expect(changed).toMatch(
      /cannot hold these given values as they are: \{ :id 1, :amount 12\.505 \}|12\.505|truncated|scale/i,
    );
    expect(changed).not.toContain('non-empty');
  });
});

describe('given rows', () => {
  async function messageOf(script: string) {
    const session = await openScriptSession();
    return (await session.run(script)).tests?.map(({ status, message }) => `${status}: ${message}`);
  }

  it('are refused for blocks that the test does not reach, and for tests', async () => {
    const other =
      '#+src sql Other()\n#+begin SELECT 1 AS id #+end\n#+test sql Fine()\n#+begin SELECT 1 WHERE false #+end\n';
    const all = `${BLOCKS}${other}`;
    expect(await messageOf(`${all}${test(':given [ { :block Other, :rows [] } ]')}`)).toContain(
      'FAILED: this test does not reach the block `Other`, directly or through other blocks',
    );
    expect(await messageOf(`${all}${test(':given [ { :block Fine, :rows [] } ]')}`)).toContain(
      'FAILED: `:block` must be the name of a block, not a test',
    );
    const unknown = `${given(ROWS)}, :expect [ { :totl 1 } ]`;
    expect(await messageOf(`${BLOCKS}${test(unknown)}`)).toEqual([
      'FAILED: the rows of this test have no column `totl`, did you mean `total`?',
    ]);
  });

  it('have values of every type', async () => {
    const block = `#+src sql Values()
#+begin SELECT 1::HUGEINT AS h, 1::DOUBLE AS d, true AS b, now() AS z, TIMESTAMP '2026-01-01' AS t, 'x' AS s, [1, 2] AS l, ['x'] AS ls, [[true]] AS lb, 'a'::BLOB AS o, uuid() AS u #+end
`;
    const row = `{ :h "170141183460469231731687303715884105727", :d 0.1, :b false, :z "2026-01-02T03:04:05.250Z", :t "2026-01-02", :s "it's \\u00e9", :l [3, null], :ls ["a, b", "it's \\"c\\"", null, "NULL"], :lb [[true], []], :u "123e4567-e89b-12d3-a456-426614174000" }`;
    const script = `${block}#+test sql AllTypes()
#+meta { :given [ { :block Values, :rows [ ${row}, { } ] } ], :expect [ ${row}, { :h null, :d null, :b null, :z null, :t null, :s null, :l null, :ls null, :lb null, :u null } ] }
#+begin SELECT * FROM {{ Values() }} #+end`;
    expect(await messageOf(script)).toEqual(['PASSED: Test passed']);
  });

  it('are refused for maps, twice for one block, and where the database refuses a value', async () => {
    const block =
      "#+src sql Values()\n#+begin SELECT 1 AS n, DATE '2026-01-01' AS day, {'x': 1} AS shop #+end\n";
    const messageFor = (meta: string) =>
      messageOf(`${block}#+test sql T() #+meta { :given [ ${meta} ] } #+begin FROM {{ Values() }} #+end`);
    expect(await messageFor('{ :block Values, :rows [ { :shop { :x 1 } } ] }')).toEqual([
      'FAILED: the value of `:shop` is a map, which cannot be given',
    ]);
    expect(await messageFor('{ :block Values, :rows [] }, { :block Values, :rows [] }')).toEqual([
      'FAILED: the rows of the block `Values` are given twice',
    ]);
    const late = '{ :n 2, :day "2026-02-03 10:00" }';
    expect(await messageFor(`{ :block Values, :rows [ { :n 1, :day "2026-02-01" }, ${late} ] }`)).toEqual([
      'FAILED: the columns of the block `Values` cannot hold these given values as they are: { :day 2026-02-03 10:00 }',
    ]);
    expect(await messageFor('{ :block Values, :rows [ { :day "2026-02-30" } ] }')).toEqual([
      'FAILED: the columns of the block `Values` cannot hold the given values: Conversion Error: date field value out of range: "2026-02-30"',
    ]);
  });

  it('are limited to ten thousand', async () => {
    const rows = (count: number) => Array.from({ length: count }, (_, at) => `{ :id ${at} }`).join(', ');
    const body = 'SELECT COUNT(*) AS n, SUM(id) AS s FROM {{ Orders() }}';
    const script = (count: number) =>
      `${BLOCKS}${test(`${given(rows(count))}, :expect [ { :n ${count}, :s ${(count * (count - 1)) / 2} } ]`, body)}`;
    expect(await messageOf(script(10_000))).toEqual(['PASSED: Test passed']);
    expect(await messageOf(script(10_001))).toEqual([
      'FAILED: at most 10000 rows can be given for the block `Orders`',
    ]);
  });
});
