import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../../src/semantic/model/model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createDimension, createEntity, createModel } from '../shop.ts';
import { hasPlatform, openShop, type ShopDatabase, type Simple } from '../shop-database.ts';
import { startShopRunners } from '../shop-runners.ts';
import { DATE_CASES, type FunctionCase } from './function-cases.ts';
import { spellDay, spellTime } from './row-literals.ts';

let parse: ParseStatements;
let native: ShopDatabase;
const isThere = hasPlatform('postgresql');
const { runners, close } = await startShopRunners();

/** Yellowbrick's SQL equals PostgreSQL's. */
const RUNNERS = runners.filter(([platform]) => platform !== 'yellowbrick');

beforeAll(async () => {
  parse = await prepareParser();
  if (isThere) native = await openShop('postgresql');
});
afterAll(() => Promise.all([native?.close(), close()]));

/** A row: `ts`, `u`, `d`, `n`. */
type Row = readonly [ts: string, u: string, d: string, n: number];

const ROWS: readonly Row[] = [
  ['2024-02-29 23:59:59.5', '2024-03-01 00:00:00', '2024-02-29', 1],
  ['2026-01-31 10:30:15.123456', '2025-12-29 22:15:00', '2026-01-31', -3],
  ['2026-03-29 00:30:00', '2026-10-25 01:30:00', '2026-03-31', 12],
  ['1969-12-31 23:59:59.25', '1970-01-01 00:00:00', '1969-12-28', 0],
];
/** The years that ClickHouse does not have, and that a time zone could leave. */
const FAR: readonly Row[] = [
  ['0001-03-01 00:00:00', '9999-12-31 23:59:59.999999', '0001-03-01', 4],
  ['9999-10-31 23:59:59.5', '0001-01-01 00:00:00', '9999-10-31', -400],
];

const listRows = (platform: Platform, zone: string) =>
  platform === 'clickhouse' || zone !== 'UTC' ? ROWS : [...ROWS, ...FAR];

/** The rows in the SQL of a platform, and one row of NULLs. */
function printRows(platform: Platform, zone: string): string {
  const rows = listRows(platform, zone).map(([ts, u, d, n], at) => {
    const [first, second] = [ts, u].map((text) => spellTime(platform, text));
    return `SELECT ${at} AS id, ${first} AS ts, ${second} AS u, ${spellDay(platform, d)} AS d, ${n} AS n`;
  });
  return [...rows, `SELECT ${rows.length}, NULL, NULL, NULL, NULL`].join(' UNION ALL ');
}

const dimensions = [
  createDimension({ name: 'id', dataType: 'INTEGER' }),
  createDimension({ name: 'ts', dataType: 'DATETIME' }),
  createDimension({ name: 'u', dataType: 'DATETIME' }),
  createDimension({ name: 'd', dataType: 'DATE' }),
  createDimension({ name: 'n', dataType: 'INTEGER' }),
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

describe.each(RUNNERS)('functions on %s', (platform, hasIt, open) => {
  it.runIf(isThere && hasIt)('have the values of PostgreSQL', { timeout: 300_000 }, async () => {
    const database = await open();
    const cases = DATE_CASES;
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
