import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../../src/semantic/model/model.ts';
import { DIALECTS } from '../../../src/semantic/sql/dialects.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { never, readRows } from '../../engine/connection/results.ts';
import { openTrino } from '../../engine/connection/trino/sessions.ts';
import { hasCluster, useCluster } from '../../support/trino/use-cluster.ts';
import { createDimension, createEntity, createModel } from '../shop.ts';
import { hasPlatform, openShop, type ShopDatabase, type Simple, simplifyRows } from '../shop-database.ts';
import { type ShopRunner, startShopRunners } from '../shop-runners.ts';
import { CHAR_CASES } from './char-cases.ts';
import { DATE_CASES, type FunctionCase, PART_CASES, TEXT_CASES, TEXT_PAIRS } from './function-cases.ts';
import { spellDay, spellTime } from './row-literals.ts';

let parse: ParseStatements;
let native: ShopDatabase;
const isThere = hasPlatform('postgresql');
const { runners, close } = await startShopRunners();

/** Prepares an engine of a block, and opens it in its tests. */
type Prepare = () => () => Promise<ShopRunner>;

const prepareTrino: Prepare = () => {
  const cluster = useCluster();
  return async () => {
    const { host, httpPort } = cluster();
    const session = await openTrino({ host, port: `${httpPort}`, user: 'test' });
    return {
      run: async (sql) => simplifyRows(await readRows(await session.run(sql, never))),
      close: () => null,
    };
  };
};

/** Yellowbrick's SQL equals PostgreSQL's. */
const RUNNERS: readonly (readonly [platform: Platform, hasIt: boolean, prepare: Prepare])[] = [
  ...runners
    .filter(([platform]) => platform !== 'yellowbrick')
    .map(([platform, hasIt, open]) => [platform, hasIt, () => open] as const),
  ['trino', hasCluster, prepareTrino],
];

beforeAll(async () => {
  parse = await prepareParser();
  if (isThere) native = await openShop('postgresql');
});
afterAll(() => Promise.all([native?.close(), close()]));

/** A row: `ts`, `u`, `d`, `n`, and the texts `t` of a day and `w` of a time. */
type Row = readonly [ts: string, u: string, d: string, n: number, t: string, w: string];

const ROWS: readonly Row[] = [
  ['2024-02-29 23:59:59.5', '2024-03-01 00:00:00', '2024-02-29', 1, '2024-02-29', '2024-02-29 23:59:59.5'],
  [
    '2026-01-31 10:30:15.123456',
    '2025-12-29 22:15:00',
    '2026-01-31',
    -3,
    '20260131',
    '2026-01-31 00:00:00.000001',
  ],
  ['2026-03-29 00:30:00', '2026-10-25 01:30:00', '2026-03-31', 12, '2026-3-1', '2026-10-25 02:30:00'],
  ['1969-12-31 23:59:59.25', '1970-01-01 00:00:00', '1969-12-28', 0, '1969-12-1', '1969-12-31 23:59:59'],
  // Days of ISO years that are not those of their calendar years; midnight, noon, and the last moment of a day.
  ['2021-01-01 00:00:00', '2022-01-01 12:00:00', '2023-01-01', 2, '2021-01-01', '2021-01-01 12:00:00'],
  ['2024-12-30 23:59:59.999999', '2020-12-31 11:59:59', '2024-12-31', 3, '2024-12-30', '2024-12-30 00:00:00'],
];
/** The years that ClickHouse does not have, and that a time zone could leave. */
const FAR: readonly Row[] = [
  [
    '0001-03-01 00:00:00',
    '9999-12-31 23:59:59.999999',
    '0001-03-01',
    4,
    '0001-01-01',
    '9999-12-31 23:59:59.999999',
  ],
  ['9999-10-31 23:59:59.5', '0001-01-01 00:00:00', '9999-10-31', -400, '9999-12-31', '0001-01-01 00:00:00'],
];

const listRows = (platform: Platform, zone: string) =>
  platform === 'clickhouse' || zone !== 'UTC' ? ROWS : [...ROWS, ...FAR];

/** The rows in the SQL of a platform, one row of NULLs, and those of the pairs of texts. */
function printRows(platform: Platform, zone: string): string {
  const rows = listRows(platform, zone).map(([ts, u, d, n, t, w], at) => {
    const [first, second] = [ts, u].map((text) => spellTime(platform, text));
    return `SELECT ${at} AS id, ${first} AS ts, ${second} AS u, ${spellDay(platform, d)} AS d, ${n} AS n, '${t}' AS t, '${w}' AS w, 's' AS s, 'p' AS p`;
  });
  const quote = (text: string | null) => (text === null ? 'NULL' : DIALECTS[platform].quoteText(text));
  const others = [[null, null] as const, ...TEXT_PAIRS].map(
    ([s, p], at) =>
      `SELECT ${rows.length + at}, NULL, NULL, NULL, NULL, NULL, NULL, ${quote(s)}, ${quote(p)}`,
  );
  return [...rows, ...others].join(' UNION ALL ');
}

const dimensions = [
  createDimension({ name: 'id', dataType: 'INTEGER' }),
  createDimension({ name: 'ts', dataType: 'DATETIME' }),
  createDimension({ name: 'u', dataType: 'DATETIME' }),
  createDimension({ name: 'd', dataType: 'DATE' }),
  createDimension({ name: 'n', dataType: 'INTEGER' }),
  createDimension({ name: 't', dataType: 'TEXT' }),
  createDimension({ name: 'w', dataType: 'TEXT' }),
  createDimension({ name: 's', dataType: 'TEXT' }),
  createDimension({ name: 'p', dataType: 'TEXT' }),
];

function compile(platform: Platform, zone: string, cases: readonly FunctionCase[]): string {
  const source = { kind: 'query', sql: printRows(platform, zone) } as const;
  const entity = createEntity({ name: 'moments', source, dimensions });
  const model = createModel([entity], { platform, timezone: zone });
  const items = cases.map(([text], at) => `${text} AS v${at}`);
  const text = `SELECT id, ${items.join(', ')} FROM moments ORDER BY id`;
  const [answer] = answerStatements({ model, index: createModelIndex(model) }, parse(text), {
    strict: false,
  });
  return answer!.sql;
}

/** PostgreSQL's own values, in a session with the time zone. */
async function askNative(platform: Platform, zone: string, cases: readonly FunctionCase[]) {
  const items = cases.map(([text, own = text]) => own.replaceAll(/\b(?:ts|u)\b/g, "($& AT TIME ZONE 'UTC')"));
  await native.execute(`SET TIME ZONE '${zone}'`);
  // ClickHouse has fewer rows.
  const rows = printRows('postgresql', platform === 'clickhouse' ? 'Europe/Berlin' : zone);
  return native.run(`SELECT id, ${items.join(', ')} FROM (${rows}) moments ORDER BY id`);
}

const toComparable = (value: Simple) => {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' ? Number(value.toPrecision(15)) : value;
};

const KINDS = [
  ['dates', DATE_CASES],
  ['texts', TEXT_CASES],
  ['parts of texts', PART_CASES],
  ['patterns', CHAR_CASES],
] as const;

/** The value of an expression over one row of the text `t`, or the message of the error. */
async function askOne(platform: Platform, database: ShopRunner, expression: string, t: string) {
  const source = { kind: 'query', sql: `SELECT '${t}' AS t` } as const;
  const entity = createEntity({
    name: 'texts',
    source,
    dimensions: [createDimension({ name: 't', dataType: 'TEXT' })],
  });
  const model = createModel([entity], { platform });
  const text = `SELECT ${expression} AS v FROM texts`;
  const [answer] = answerStatements({ model, index: createModelIndex(model) }, parse(text), {
    strict: false,
  });
  return database.run(answer!.sql).then(
    ([row]) => row![0],
    () => 'an error',
  );
}

describe.each(RUNNERS)('functions on %s', (platform, hasIt, prepare) => {
  const open = hasIt ? prepare() : null;
  it.runIf(hasIt)('answer a text that is not a date with an error, or with NULL on MySQL', async () => {
    const database = await open!();
    const due = platform === 'mysql' ? null : 'an error';
    for (const t of ['2026-02-30', '20260230', '2026-13-01', 'north']) {
      expect([t, await askOne(platform, database, 'CAST(t AS DATE)', t)]).toEqual([t, due]);
    }
    const format = "'YYYY-MM-DD HH24:MI:SS'";
    expect(await askOne(platform, database, `TO_TIMESTAMP(t, ${format})`, '2026-02-30 10:00:00')).toBe(due);
    await database.close();
  });

  const has = it.runIf(isThere && hasIt);
  has.each(KINDS)('of %s have the values of PostgreSQL', { timeout: 300_000 }, async (_, cases) => {
    const database = await open!();
    for (const zone of platform === 'mysql' ? ['UTC'] : ['UTC', 'Europe/Berlin']) {
      const due = await askNative(platform, zone, cases);
      const found = await database.run(compile(platform, zone, cases));
      const differences = due.flatMap((row, at) =>
        cases.flatMap(([text], column) => {
          const [own, other] = [found[at]!, row].map((values) => toComparable(values[column + 1]!));
          return own === other ? [] : [`row ${at}, ${text}: ${own}, not ${other}`];
        }),
      );
      expect(differences, zone).toEqual([]);
    }
    await database.close();
  });
});
