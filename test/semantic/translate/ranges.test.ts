import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileQuery } from '../../../src/semantic/compile/compile-query.ts';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { GRAINS, type Model, type Platform } from '../../../src/semantic/model/model.ts';
import type { SemanticFilter } from '../../../src/semantic/query/query.ts';
import { DIALECTS } from '../../../src/semantic/sql/dialects.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { ask, where } from '../ask.ts';
import { createRandom, type Random } from '../oracle/random.ts';
import { createDimension, createEntity, createModel } from '../shop.ts';
import type { Simple } from '../shop-database.ts';
import { startShopRunners } from '../shop-runners.ts';
import { createZoneCases, isCertain, print, ZONES } from './zone-cases.ts';
import { isRegular, printRows } from './zone-rows.ts';

/** The numbers of conditions and of moments in each time zone. */
const CONDITIONS = Number(process.env.QUERN_RANGE_CONDITIONS ?? 60);
const MOMENTS = Number(process.env.QUERN_ZONE_MOMENTS ?? 40);

let parse: ParseStatements;
const { runners, close } = await startShopRunners();
/** MariaDB refuses time zones, and Yellowbrick's SQL equals PostgreSQL's. */
const RUNNERS = runners.filter(([platform]) => platform !== 'mysql' && platform !== 'yellowbrick');

beforeAll(async () => {
  parse = await prepareParser();
});
afterAll(close);

const cut = (expr: string) =>
  GRAINS.map((grain) => createDimension({ name: `${expr}_${grain}`, dataType: 'DATE', expr, grain }));
const dimensions = [
  createDimension({ name: 'id', dataType: 'INTEGER' }),
  createDimension({ name: 'ts', dataType: 'DATETIME' }),
  ...cut('ts'),
  createDimension({ name: 'd', dataType: 'DATE' }),
  ...cut('d'),
];

function create(platform: Platform, timezone: string, sql?: string): Model {
  const source = sql === undefined ? {} : { source: { kind: 'query', sql } as const };
  return createModel([createEntity({ name: 'moments', dimensions, ...source })], { platform, timezone });
}

function answer(model: Model, text: string): string {
  const [one] = answerStatements({ model, index: createModelIndex(model) }, parse(text), { strict: false });
  return one!.sql;
}

function compile(model: Model, filter: SemanticFilter): string {
  const { platform } = model.layers[0]!;
  const question = ask('moments.id', '', { filters: [filter] });
  return compileQuery(createModelIndex(model), question, { dialect: platform, strict: false }).sql;
}

/** Everything in a condition that is not a bare comparison of the column or a connection of comparisons. */
function findRest(sql: string): string {
  const [, condition = ''] = /WHERE ([\s\S]*?)(?:\nGROUP|\nSETTINGS|$)/.exec(sql) ?? [];
  return condition
    .replaceAll(/CAST\('[^']*' AS [\w()]+\)|toDate(?:Time64|32)\('[^)]*\)/g, '?')
    .replaceAll(/(?:TIMESTAMP|DATE) '[^']*'|'[^']*'/g, '?')
    .replaceAll(/\b(?:ts|d) (?:>=|<) \?|\b(?:ts|d) IS NULL/g, '')
    .replaceAll(/AND|OR|NOT|[()\s]/g, '');
}

const OPERATORS: readonly (readonly [type: string, ...operands: readonly string[]])[] = [
  ['EQUALS', '2026-03-01'],
  ['EQUALS', '2026-03-01', '2026-01-01', '2026-03-17'],
  ['NOT_EQUALS', '2026-03-01'],
  ['NOT_EQUALS', '2026-03-17', '2026-03-01'],
  ['GREATER_THAN', '2026-03-01'],
  ['GREATER_THAN_OR_EQUAL', '2026-03-17'],
  ['LESS_THAN', '2026-03-01'],
  ['LESS_THAN_OR_EQUAL', '2026-03-17'],
  ['IN_DATE_RANGE', '2026-01-01', '2026-03-17'],
  ['NOT_IN_DATE_RANGE', '2026-01-01', '2026-03-17'],
  ['BEFORE_DATE', '2026-03-01'],
  ['AFTER_DATE', '2026-03-01'],
  ['BEFORE_OR_ON_DATE', '2026-03-17'],
  ['AFTER_OR_ON_DATE', '2026-03-17'],
];

/** Conditions with `$` for the truncated date. */
const WRITTEN = [
  "$ = '2026-03-01'",
  "'2026-03-17' = $",
  "$ <> DATE '2026-03-01'",
  "$ < '2026-03-01'",
  "$ <= TIMESTAMP '2026-03-17 10:00'",
  "DATE '2026-03-01' < $",
  "$ >= CAST('2026-03-17' AS DATE)",
  "$ IN ('2026-03-01', '2026-04-01', '2026-05-09')",
  "$ NOT IN (DATE '2026-03-01', DATE_TRUNC('month', DATE '2026-05-09'))",
  "$ BETWEEN '2026-03-01' AND '2026-04-17'",
  "NOT ($ NOT BETWEEN '2026-03-01' AND '2026-04-17' OR $ = '2026-04-01')",
];

const TRUNCATIONS = [
  ...GRAINS.flatMap((grain) => [`ts_${grain}`, `d_${grain}`]),
  ...GRAINS.flatMap((grain) => [`DATE_TRUNC('${grain}', ts)`, `DATE_TRUNC('${grain}', d)`]),
  ...['hour', 'minute', 'second'].map((unit) => `DATE_TRUNC('${unit}', ts)`),
  'CAST(ts AS DATE)',
  'ts::date',
  'DATE(ts)',
  "DATE_TRUNC('year', DATE_TRUNC('month', ts))",
  "DATE_TRUNC('quarter', ts_month)",
];

describe.each(Object.keys(DIALECTS) as Platform[])('conditions on truncated dates on %s', (platform) => {
  const zones = DIALECTS[platform].zones === null ? ['UTC'] : ['UTC', 'Europe/Berlin'];

  it.each(zones)('are ranges of the column without a function in %s', (zone) => {
    const model = create(platform, zone);
    const fields = GRAINS.flatMap((grain) => [`moments.ts_${grain}`, `moments.d_${grain}`]);
    const asked = fields.flatMap((field) =>
      OPERATORS.map(([type, ...operands]) => compile(model, where(field, type, ...operands))),
    );
    const written = TRUNCATIONS.flatMap((of) =>
      WRITTEN.map((text) => answer(model, `SELECT id FROM moments WHERE ${text.replaceAll('$', of)}`)),
    );
    const all = [...asked, ...written];
    expect(all.filter((sql) => findRest(sql) !== '' || !/ (?:>=|<) /.test(sql))).toEqual([]);
    expect(all.length).toBe(fields.length * OPERATORS.length + TRUNCATIONS.length * WRITTEN.length);
  });
});

describe('the function of a truncated date', () => {
  const model = create('duckdb', 'Europe/Berlin');
  const listDays = (count: number, step: number) =>
    Array.from({ length: count }, (_, at) => `'${print(at * step * 86_400_000).slice(0, 10)}'`).join(', ');

  it.each([
    ["ts_month = '9999-12-01'", 'America/New_York'],
    ["ts_year <= '9999-05-01'", 'America/New_York'],
    ["ts_year >= '0001-01-01'", 'Europe/Berlin'],
    ['ts_month = d_month', 'Europe/Berlin'],
    ['ts_month = NULL', 'Europe/Berlin'],
    ["ts_month IN ('2026-03-01', NULL)", 'Europe/Berlin'],
    ['ts_month IS NULL', 'Europe/Berlin'],
  ])('stays without ranges: %s in %s', (text, zone) => {
    expect(answer(create('duckdb', zone), `SELECT id FROM moments WHERE ${text}`)).toMatch(
      /WHERE CAST.* AT TIME ZONE/,
    );
  });

  it.each([
    [100, 2, false],
    [101, 2, true],
    [1000, 1, false],
    [1001, 1, true],
  ])('stays for many ranges or values: %i values every %i days', (count, step, stays) => {
    const sql = answer(model, `SELECT id FROM moments WHERE ts_day IN (${listDays(count, step)})`);
    expect(sql.includes(' AT TIME ZONE ')).toBe(stays);
  });

  it('is replaced in conditions of measures and keys', () => {
    const text = `SELECT ts::date = '2026-03-01' AS k, COUNT(*) FILTER (WHERE ts_month = '2026-03-01') AS n,
      SUM(CASE WHEN DATE_TRUNC('hour', ts) < '2026-03-29 03:00' THEN id END) AS s FROM moments GROUP BY 1`;
    expect(answer(model, text)).toBe(`SELECT
  ts >= TIMESTAMP '2026-02-28 23:00:00' AND ts < TIMESTAMP '2026-03-01 23:00:00' AS "k",
  COUNT(CASE WHEN ts >= TIMESTAMP '2026-02-28 23:00:00' AND ts < TIMESTAMP '2026-03-31 22:00:00' THEN 1 END) AS "n",
  SUM(CASE WHEN ts < TIMESTAMP '2026-03-29 01:00:00' THEN id END) AS "s"
FROM shop.moments AS "moments"
GROUP BY 1`);
  });

  it.each([
    ["$ >= TIMESTAMP '2026-03-01 10:00:00.000001'", "ts >= TIMESTAMP '2026-03-01 09:00:01'"],
    ["$ < TIMESTAMP '2026-03-01 10:00:00.000001'", "ts < TIMESTAMP '2026-03-01 09:00:01'"],
    ["$ > TIMESTAMP '2026-03-01 10:00:00.000001'", "ts >= TIMESTAMP '2026-03-01 09:00:01'"],
    [
      "$ = TIMESTAMP '2026-03-01 10:00:00.000001'",
      "ts >= TIMESTAMP '2026-03-01 09:00:01' AND ts < TIMESTAMP '2026-03-01 09:00:01'",
    ],
  ])('counts the microseconds of a constant: %s', (text, range) => {
    const condition = text.replace('$', "DATE_TRUNC('second', ts)");
    const [, where] = answer(model, `SELECT id FROM moments WHERE ${condition}`).split('\nWHERE ');
    expect(where).toBe(range);
  });

  it('has one range for adjacent values, and several where clocks go back over midnight', () => {
    const months = "SELECT id FROM moments WHERE ts_month IN ('2026-04-01', '2026-03-01', '2026-04-01')";
    expect(answer(model, months)).toContain(
      "WHERE ts >= TIMESTAMP '2026-02-28 23:00:00' AND ts < TIMESTAMP '2026-04-30 22:00:00'",
    );
    // At one minute past midnight, the day before came back.
    const day = "SELECT id FROM moments WHERE ts_month >= '2009-11-01'";
    expect(answer(create('duckdb', 'America/St_Johns'), day)).toContain(
      "WHERE ts >= TIMESTAMP '2009-11-01 02:30:00' AND ts < TIMESTAMP '2009-11-01 02:31:00' OR ts >= TIMESTAMP '2009-11-01 03:30:00'",
    );
  });
});

/** A truncation as SQL, and the name of its field if the model has one. */
interface Truncation {
  readonly text: string;
  readonly field: string | null;
}

const RANDOM: readonly Truncation[] = [
  ...GRAINS.flatMap((grain): readonly Truncation[] => [
    { text: `ts_${grain}`, field: `moments.ts_${grain}` },
    { text: `d_${grain}`, field: `moments.d_${grain}` },
    { text: `DATE_TRUNC('${grain}', ts)`, field: null },
  ]),
  ...['hour', 'minute', 'second'].map((unit) => ({ text: `DATE_TRUNC('${unit}', ts)`, field: null })),
  { text: 'CAST(ts AS DATE)', field: null },
  { text: "DATE_TRUNC('day', ts AT TIME ZONE 'America/Sao_Paulo')", field: null },
];

const HOLDS: Readonly<Record<string, (value: Simple, all: readonly Simple[]) => boolean>> = {
  '=': (value, [one]) => value === one,
  '<>': (value, [one]) => value !== one,
  '<': (value, [one]) => value! < one!,
  '<=': (value, [one]) => value! <= one!,
  '>': (value, [one]) => value! > one!,
  '>=': (value, [one]) => value! >= one!,
  IN: (value, all) => all.includes(value),
  'NOT IN': (value, all) => !all.includes(value),
  BETWEEN: (value, [from, to]) => value! >= from! && value! <= to!,
};

const FLIPPED: Readonly<Record<string, string>> = {
  ...{ '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' },
};

/** The operators of semantic queries that mean the same, with NULL for those that keep it. */
const ASKED: Readonly<Record<string, readonly [type: string, takesNull: boolean]>> = {
  '=': ['EQUALS', false],
  '<>': ['NOT_EQUALS', true],
  '<': ['LESS_THAN', false],
  '<=': ['LESS_THAN_OR_EQUAL', false],
  '>': ['GREATER_THAN', false],
  '>=': ['GREATER_THAN_OR_EQUAL', false],
  IN: ['EQUALS', false],
  'NOT IN': ['NOT_EQUALS', true],
};

interface RandomCase {
  readonly at: number;
  readonly op: string;
  readonly values: readonly Simple[];
  /** Whether the constant is on the left. */
  readonly isFlipped: boolean;
}

/** A value of the truncation, or one next to it: a day, or half an hour. */
function pickValue(random: Random, values: readonly Simple[]): Simple {
  const value = random.pick(values.filter((own) => own !== null));
  const step = random.int(4) - 1;
  if (typeof value === 'number') return value + (step > 1 ? 0 : step) * 1_800_000_000;
  const day = Date.parse(`${value}T00:00:00Z`);
  return print(day + (step > 1 ? 0 : step) * 86_400_000).slice(0, 10);
}

function createCase(random: Random, rows: readonly (readonly Simple[])[]): RandomCase {
  const at = random.int(RANDOM.length);
  const op = random.pick(Object.keys(HOLDS));
  const count = op.endsWith('IN') ? 1 + random.int(4) : op === 'BETWEEN' ? 2 : 1;
  const column = rows.map((row) => row[at + 1]!);
  const values = Array.from({ length: count }, () => pickValue(random, column));
  return { at, op, values, isFlipped: Object.hasOwn(FLIPPED, op) && random.chance(0.3) };
}

function printCase({ at, op, values, isFlipped }: RandomCase): string {
  const written = values.map((value) =>
    typeof value === 'number' ? `TIMESTAMP '${print(value / 1000).slice(0, 19)}'` : `DATE '${value}'`,
  );
  const operand = op.endsWith('IN') ? `(${written.join(', ')})` : written.join(' AND ');
  const { text } = RANDOM[at]!;
  return isFlipped ? `${operand} ${FLIPPED[op]} ${text}` : `${text} ${op} ${operand}`;
}

const toCondition = (value: Simple) => (typeof value === 'number' ? value !== 0 : value);

describe.each(RUNNERS)('ranges of truncated dates on %s', (platform, hasIt, open) => {
  it.runIf(hasIt)(
    'find the rows of the groups that satisfy the condition',
    { timeout: 300_000 },
    async () => {
      const database = await open();
      const sizes: number[] = [];
      for (const [seed, zone] of ZONES.entries()) {
        const random = createRandom(seed + 1);
        const moments = createZoneCases(zone, MOMENTS).moments.filter(
          (ms) => isCertain(zone, ms) && (platform !== 'clickhouse' || isRegular(zone, ms)),
        );
        if (moments.length === 0) continue;
        const given = printRows(moments, platform);
        const model = create(platform, zone, `${given} UNION ALL SELECT -1, NULL, NULL`);
        const groups = RANDOM.map(({ text }, at) => `${text} AS g${at}`);
        const rows = await database.run(answer(model, `SELECT id, ${groups.join(', ')} FROM moments`));
        const cases = Array.from({ length: CONDITIONS }, () => createCase(random, rows));
        const items = cases.map((own, at) => `${printCase(own)} AS v${at}`);
        const sql = answer(model, `SELECT id, ${items.join(', ')} FROM moments`);
        const found = new Map((await database.run(sql)).map(([id, ...row]) => [id!, row]));
        const due = (own: RandomCase, row: readonly Simple[]) => {
          const value = row[own.at + 1]!;
          return value === null ? null : HOLDS[own.op]!(value, own.values);
        };
        const differences = rows.flatMap((row) =>
          cases.flatMap((own, at) => {
            const value = toCondition(found.get(row[0]!)![at]!);
            return value === due(own, row) ? [] : [`${row[own.at + 1]} ${printCase(own)}: ${value}`];
          }),
        );
        expect(differences, zone).toEqual([]);
        for (const own of cases) {
          const { field } = RANDOM[own.at]!;
          const [type, takesNull] = ASKED[own.op] ?? [null, false];
          if (field === null || type === null) continue;
          const filter = where(field, type, ...own.values.map(String));
          const ids = (await database.run(compile(model, filter))).map(([id]) => id);
          const wanted = rows.filter((row) => due(own, row) ?? takesNull).map(([id]) => id);
          expect(ids.toSorted(), `${zone}: ${printCase(own)}`).toEqual(wanted.toSorted());
        }
        sizes.push(rows.length * cases.length);
      }
      expect(Math.min(...sizes)).toBeGreaterThan(0);
      await database.close();
    },
  );
});
