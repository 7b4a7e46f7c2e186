import { describe, expect, it } from 'vitest';
import { openScriptSession, useKinds } from '../script-session.ts';

const KINDS = useKinds();

/** How each database writes the time now in UTC, and a time of a number of hours before. */
const CLOCKS = {
  duckdb: { now: "now() AT TIME ZONE 'UTC'", before: (hours: number) => `- INTERVAL ${hours} HOUR` },
  postgresql: { now: "now() AT TIME ZONE 'UTC'", before: (hours: number) => `- INTERVAL '${hours} hours'` },
  mysql: { now: 'UTC_TIMESTAMP()', before: (hours: number) => `- INTERVAL ${hours} HOUR` },
  trino: {
    now: "CAST(now() AT TIME ZONE 'UTC' AS timestamp(6))",
    before: (hours: number) => `- INTERVAL '${hours}' HOUR`,
  },
} as const;

const block = (checks: string, body: string) =>
  `#+src sql Orders()\n#+meta { :checks [ ${checks} ] }\n#+begin\n${body}\n#+end\n`;
const ROWS = `SELECT 1 AS id, 'EU' AS region, 1 AS customer
UNION ALL SELECT 2, 'it''s', 2
UNION ALL SELECT 2, 'EU', 3
UNION ALL SELECT NULL, NULL, NULL
UNION ALL SELECT NULL, 'EU', NULL`;
const CUSTOMERS =
  '#+src sql Customers()\n#+begin SELECT 1 AS customer, 1 AS code UNION ALL SELECT 2, 7 #+end\n';

describe.each(KINDS)('checks on $kind', ({ kind, isThere }) => {
  /** The name of each check of a block, its status, and its wrong rows. */
  async function check(script: string) {
    const session = await openScriptSession(kind);
    const { tests } = await session.run(script);
    return (tests ?? []).map(({ test_name: name, status, severity, rows, message }) => [
      name.replace('Orders.', ''),
      rows === null ? message : `${status} ${severity} ${rows}`,
    ]);
  }

  it.skipIf(!isThere)('find the wrong rows; NULL passes all but not_null', async () => {
    const checks = `{ :unique "id" }, { :unique ["id", "region"] }, { :not_null ["id", "region"] },
{ :accepted "region", :values ["EU", "it's"] }, { :accepted "id", :values [1, 3] }, { :references "customer", :to Customers },
{ :references "id", :to Customers, :column "code", :where "customer < 3" }`;
    expect(await check(`${block(checks, ROWS)}${CUSTOMERS}`)).toEqual([
      ['unique(id)', 'FAILED error 2'],
      ['unique(id, region)', 'PASSED error 0'],
      ['not_null(id)', 'FAILED error 2'],
      ['not_null(region)', 'FAILED error 1'],
      ['accepted(region)', 'PASSED error 0'],
      ['accepted(id)', 'FAILED error 2'],
      ['references(customer)', 'FAILED error 1'],
      ['references(id)', 'FAILED error 1'],
    ]);
  });

  it.skipIf(!isThere)('count rows, and compare the latest time with the clock in UTC', async () => {
    const { now, before } = CLOCKS[kind];
    const times = `SELECT ${now} AS fresh_at, ${now} ${before(3)} AS old_at, CAST(NULL AS DATE) AS never_at`;
    const checks = `{ :rows { :min 1 } }, { :fresh "fresh_at", :within "2 minutes" },
{ :fresh "old_at", :within "4 hours" }, { :fresh "never_at", :within "1 day" }`;
    expect(await check(block(checks, times))).toEqual([
      ['rows', 'PASSED error 0'],
      ['fresh(fresh_at)', 'PASSED error 0'],
      ['fresh(old_at)', 'PASSED error 0'],
      ['fresh(never_at)', 'FAILED error 1'],
    ]);
    const late = `{ :fresh "old_at", :within "2 hours" }, { :rows { :min 2, :max 3 } }, { :fresh "fresh_at", :within "1 second", :where "1 = 0" }`;
    expect(await check(block(late, times))).toEqual([
      ['fresh(old_at)', 'FAILED error 1'],
      ['rows', 'FAILED error 1'],
      ['fresh(fresh_at)', 'FAILED error 1'],
    ]);
  });

  it.skipIf(!isThere)('warn, or fail above a number or a share of the rows that they look at', async () => {
    const checks = [
      '{ :unique "id", :severity "warn" }',
      '{ :not_null "id", :fail_above 2 }',
      '{ :not_null "customer", :fail_above 1 }',
      '{ :not_null "region", :fail_above "20 %" }',
      '{ :accepted "id", :values [1], :fail_above "39 %" }',
      '{ :accepted "customer", :values [1], :fail_above "40 %", :where "id = 2 OR id IS NULL" }',
    ].join(', ');
    expect(await check(block(checks, ROWS))).toEqual([
      ['unique(id)', 'PASSED warn 2'],
      ['not_null(id)', 'PASSED warn 2'],
      ['not_null(customer)', 'FAILED error 2'],
      ['not_null(region)', 'PASSED warn 1'],
      ['accepted(id)', 'FAILED error 2'],
      ['accepted(customer)', 'FAILED error 2'],
    ]);
  });

  it.skipIf(!isThere)(
    'fail for a column that is not there, also if they only warn, and quote names',
    async () => {
      const [open, close] = kind === 'mysql' ? ['`', '`'] : ['"', '"'];
      const body = `SELECT 1 AS ${open}my key${close}, 2 AS ${open}select${close}`;
      const checks = '{ :unique ["my key", "select"] }, { :not_null "none", :severity "warn" }';
      expect(await check(block(checks, body))).toEqual([
        ['unique(my key, select)', 'PASSED error 0'],
        ['not_null(none)', expect.stringMatching(/none/i)],
      ]);
    },
  );
});

describe('checks', () => {
  it('refer to a table in quotes, and take defaults, constants and parameters', async () => {
    const session = await openScriptSession();
    await session.query("CREATE TABLE regions AS SELECT 'EU' AS code");
    const script = `#+const\nmain_region = "EU";\n#+end
#+src sql Orders(extra="US")
#+meta { :checks [
  { :references "region", :to "main.regions", :column "code" },
  { :accepted "region", :values [main_region, $other] },
  { :rows { :max $most } },
] }
#+begin SELECT 'EU' AS region UNION ALL SELECT '{{ extra }}' #+end`;
    const { tests } = await session.run(script, { params: { other: "it's", most: 1 } });
    expect(tests?.map(({ test_name: name, status, rows }) => [name, status, rows])).toEqual([
      ['Orders.references(region)', 'FAILED', 1],
      ['Orders.accepted(region)', 'FAILED', 1],
      ['Orders.rows', 'FAILED', 1],
    ]);
  });

  it('have the position of their map in errors of the database', async () => {
    const session = await openScriptSession();
    const { tests } = await session.run(block('{ :not_null "none" }', 'SELECT 1 AS id'));
    expect(tests).toMatchObject([
      {
        line: 2,
        column: 20,
        diagnostics: [{ line: 2, column: 20, message: expect.stringContaining('"none"') }],
      },
    ]);
  });
});
