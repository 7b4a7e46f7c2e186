import { describe, expect, it } from 'vitest';
import { type CompiledQuery, compileQuery } from '../../src/semantic/compile/compile-query.ts';
import { SemanticError } from '../../src/semantic/errors.ts';
import { createModelIndex } from '../../src/semantic/model/index/index-model.ts';
import type { DataType, Platform } from '../../src/semantic/model/model.ts';
import type { Operator, SemanticFilter, SemanticQuery } from '../../src/semantic/query/query.ts';
import { ask, where } from './ask.ts';
import { createDimension, createEntity, createModel } from './shop.ts';
import { hasPlatform, openShop, RUNS, shareShop } from './shop-database.ts';

const things = createEntity({
  name: 'things',
  source: {
    kind: 'query',
    sql: `SELECT 1 AS id, 'red' AS t, 1 AS i, 1.50 AS d, 0.25e0 AS f, DATE '2024-01-31' AS day,
      TIMESTAMP '2024-01-31 23:59:59.5' AS moment, TRUE AS flag
    UNION ALL SELECT 2, 'Red', 2, -2.00, 1e0, DATE '2024-02-01', TIMESTAMP '2024-02-01 00:00:00', FALSE
    UNION ALL SELECT 3, 'a%b_c!\\\\d''e', 9007199254740993, 0.10, -1.5e0, DATE '2024-02-29', TIMESTAMP '2024-02-29 12:00:00', TRUE
    UNION ALL SELECT 4, 'red ', 3, 3.00, 3e0, DATE '2024-03-01', TIMESTAMP '2024-03-01 00:00:00', FALSE
    UNION ALL SELECT 5, 'ÉTÉ', 4, 4.00, 4e0, DATE '2023-12-31', TIMESTAMP '2023-12-31 10:00:00', TRUE
    UNION ALL SELECT 6, NULL, NULL, NULL, NULL, NULL, NULL, NULL`,
  },
  dimensions: [
    createDimension({ name: 'id', dataType: 'INTEGER' }),
    createDimension({ name: 'text', dataType: 'TEXT', expr: 't' }),
    createDimension({ name: 'exact', dataType: 'TEXT', expr: 't', caseSensitive: true }),
    createDimension({ name: 'int', dataType: 'INTEGER', expr: 'i' }),
    createDimension({ name: 'num', dataType: 'NUMBER', expr: 'd' }),
    createDimension({ name: 'dec', dataType: 'DECIMAL', expr: 'd' }),
    createDimension({ name: 'float', dataType: 'FLOAT', expr: 'f' }),
    createDimension({ name: 'day', dataType: 'DATE' }),
    createDimension({ name: 'moment', dataType: 'DATETIME' }),
    createDimension({ name: 'moment_day', dataType: 'DATE', expr: 'moment', grain: 'day' }),
    createDimension({ name: 'flag', dataType: 'BOOLEAN' }),
  ],
});

/** The index of the source for a platform: only MariaDB has backslashes to escape. */
function createIndex(platform: Platform, timezone = 'UTC') {
  const { source } = things;
  const sql = source.kind === 'query' ? source.sql : '';
  const own = platform === 'mysql' ? sql : sql.replaceAll('\\\\', '\\');
  const entity = { ...things, source: { kind: 'query', sql: own } } as const;
  return createModelIndex(createModel([entity], { platform, timezone }));
}

function compile(platform: Platform, query: SemanticQuery, timezone?: string): CompiledQuery {
  return compileQuery(createIndex(platform, timezone), query, { dialect: platform, strict: false });
}

const filtered = (...filters: readonly SemanticFilter[]) =>
  ask('things.id', '', { filters, orderBy: [{ field: { entity: 'things', field: 'id' }, desc: false }] });

type Case = readonly [due: string, field: string, type: string, ...operands: string[]];

const CASES: readonly Case[] = [
  ['1', 'text', 'EQUALS', 'red'],
  ['1 2', 'text', 'EQUALS', 'red', 'Red'],
  ['4', 'text', 'EQUALS', 'red '],
  ['', 'text', 'EQUALS', 'ete'],
  ['2 3 4 5 6', 'text', 'NOT_EQUALS', 'red'],
  ['3 4 5 6', 'text', 'NOT_EQUALS', 'red', 'Red'],
  ['3', 'text', 'EQUALS', "a%b_c!\\d'e"],
  ['1 2 4', 'text', 'CONTAINS', 'RED'],
  ['1 4', 'exact', 'CONTAINS', 're'],
  ['3', 'text', 'CONTAINS', '%'],
  ['3', 'text', 'CONTAINS', '_'],
  ['3', 'text', 'CONTAINS', '!\\'],
  ['3', 'text', 'CONTAINS', "'"],
  ['5', 'text', 'CONTAINS', 'été'],
  ['', 'text', 'CONTAINS', 'ete'],
  ['3', 'text', 'CONTAINS', '!'],
  ['1 2 3 4 5', 'text', 'CONTAINS', ''],
  ['6', 'text', 'NOT_CONTAINS', ''],
  ['3 5 6', 'text', 'NOT_CONTAINS', 'red', 'xyz'],
  ['3', 'text', 'STARTS_WITH', 'A%'],
  ['', 'text', 'STARTS_WITH', '_'],
  ['', 'text', 'STARTS_WITH', 'ed'],
  ['1 2 3 4 5', 'text', 'STARTS_WITH', ''],
  ['2', 'exact', 'STARTS_WITH', 'R'],
  ['1 2 4 5 6', 'text', 'NOT_STARTS_WITH', 'a'],
  ['1 2', 'text', 'ENDS_WITH', 'ED'],
  ['3', 'text', 'ENDS_WITH', "!\\D'e"],
  ['4', 'text', 'ENDS_WITH', ' '],
  ['5', 'text', 'ENDS_WITH', 'té'],
  ['', 'text', 'ENDS_WITH', '%'],
  ['', 'text', 'ENDS_WITH', 'a red'],
  ['1 2 3 4 5', 'text', 'ENDS_WITH', ''],
  ['6', 'text', 'NOT_ENDS_WITH', ''],
  ['1', 'exact', 'ENDS_WITH', 'red'],
  ['3 4 5 6', 'text', 'NOT_ENDS_WITH', 'red'],
  ['2 3 4 5 6', 'exact', 'NOT_ENDS_WITH', 'red'],
  ['1 3 4 5', 'text', 'GREATER_THAN', 'Redder'],
  ['3', 'int', 'EQUALS', '9007199254740993'],
  ['', 'int', 'EQUALS', '9007199254740992'],
  ['1 2 4 5 6', 'int', 'NOT_EQUALS', '9007199254740993'],
  ['3 4 5', 'int', 'GREATER_THAN', '+02'],
  ['3', 'dec', 'EQUALS', '.1'],
  ['2 3', 'dec', 'LESS_THAN', '1.50'],
  ['1 2 3', 'dec', 'LESS_THAN_OR_EQUAL', '1.5'],
  ['1', 'float', 'EQUALS', '25e-2'],
  ['2 4 5', 'float', 'GREATER_THAN_OR_EQUAL', '1'],
  ['1 3 5', 'flag', 'EQUALS', 'TRUE'],
  ['2 4 6', 'flag', 'NOT_EQUALS', 'true'],
  ['1', 'day', 'EQUALS', '2024-01-31'],
  ['1 2 3', 'day', 'IN_DATE_RANGE', '2024-01-31', '2024-02-29'],
  ['4 5 6', 'day', 'NOT_IN_DATE_RANGE', '2024-01-31', '2024-02-29'],
  ['5', 'day', 'BEFORE_DATE', '2024-01-31'],
  ['1 5', 'day', 'BEFORE_OR_ON_DATE', '2024-01-31'],
  ['2 3 4', 'day', 'AFTER_DATE', '2024-01-31'],
  ['3 4', 'day', 'AFTER_OR_ON_DATE', '2024-02-29'],
  ['1 2 3 4 5', 'day', 'BEFORE_OR_ON_DATE', '9999-12-31'],
  ['', 'day', 'AFTER_DATE', '9999-12-31'],
  ['1', 'moment', 'EQUALS', '2024-01-31'],
  ['2', 'moment', 'EQUALS', '2024-02-01T00:00:00Z'],
  ['1', 'moment', 'EQUALS', '2024-02-01 00:59:59.500+01:00'],
  ['2 3 4 5 6', 'moment', 'NOT_EQUALS', '2024-01-31'],
  ['1 5', 'moment', 'BEFORE_OR_ON_DATE', '2024-01-31'],
  ['2 3 4', 'moment', 'AFTER_DATE', '2024-01-31'],
  ['3 4', 'moment', 'AFTER_DATE', '2024-02-01T00:00:00'],
  ['1 2 3', 'moment', 'IN_DATE_RANGE', '2024-01-31', '2024-02-29'],
  ['1 2', 'moment', 'IN_DATE_RANGE', '2024-01-31T23:59:59.5', '2024-02-01'],
  ['3 4 5 6', 'moment', 'NOT_IN_DATE_RANGE', '2024-01-31T23:59:59.5', '2024-02-01'],
  ['1 2 3 4 5', 'moment', 'BEFORE_OR_ON_DATE', '9999-12-31'],
  ['1', 'moment_day', 'EQUALS', '2024-01-31'],
  ['4', 'num', 'EQUALS', '3'],
  ['1 3 4 5 6', 'num', 'NOT_EQUALS', '-2.00'],
  ['1 2 3 4 6', 'float', 'NOT_EQUALS', '4'],
  ['1 2 4 5 6', 'dec', 'NOT_EQUALS', '0.1'],
  ['2 3 4 5 6', 'day', 'NOT_EQUALS', '2024-01-31'],
  ['4 5', 'num', 'GREATER_THAN', '1.5'],
  ['4 5', 'float', 'GREATER_THAN', '1'],
  ['1 4 5', 'dec', 'GREATER_THAN', '.1'],
  ['3 4', 'day', 'GREATER_THAN', '2024-02-01'],
  ['3 4', 'moment', 'GREATER_THAN', '2024-02-01'],
  ['1 4 5', 'num', 'GREATER_THAN_OR_EQUAL', '1.50'],
  ['3 4 5', 'int', 'GREATER_THAN_OR_EQUAL', '3'],
  ['1 3 4 5', 'dec', 'GREATER_THAN_OR_EQUAL', '0.10'],
  ['2 3 4', 'day', 'GREATER_THAN_OR_EQUAL', '2024-02-01'],
  ['2 3 4', 'moment', 'GREATER_THAN_OR_EQUAL', '2024-02-01T00:00:00'],
  ['1 4 5', 'text', 'GREATER_THAN_OR_EQUAL', 'red'],
  ['2 3', 'num', 'LESS_THAN', '1.5'],
  ['1 2', 'int', 'LESS_THAN', '3'],
  ['1 3', 'float', 'LESS_THAN', '1'],
  ['1 5', 'day', 'LESS_THAN', '2024-02-01'],
  ['1 5', 'moment', 'LESS_THAN', '2024-02-01'],
  ['2 3', 'text', 'LESS_THAN', 'red'],
  ['1 2 3', 'num', 'LESS_THAN_OR_EQUAL', '1.50'],
  ['1 2 4', 'int', 'LESS_THAN_OR_EQUAL', '3'],
  ['1 2 3', 'float', 'LESS_THAN_OR_EQUAL', '1'],
  ['1 2 5', 'day', 'LESS_THAN_OR_EQUAL', '2024-02-01'],
  ['1 2 5', 'moment', 'LESS_THAN_OR_EQUAL', '2024-02-01'],
  ['1 2 3', 'text', 'LESS_THAN_OR_EQUAL', 'red'],
  ['1 5', 'moment', 'BEFORE_DATE', '2024-02-01'],
  ['2 3 4', 'moment', 'AFTER_OR_ON_DATE', '2024-02-01'],
  ...['text', 'num', 'int', 'dec', 'float', 'day', 'moment', 'flag'].flatMap((field): readonly Case[] => [
    ['6', field, 'IS_NULL'],
    ['1 2 3 4 5', field, 'IS_NOT_NULL'],
  ]),
];

const OPERANDS: Readonly<Record<Operator['type'], readonly string[]>> = {
  ...{ EQUALS: ['?'], NOT_EQUALS: ['?'], CONTAINS: ['?'], NOT_CONTAINS: ['?'], STARTS_WITH: ['?'] },
  ...{ NOT_STARTS_WITH: ['?'], ENDS_WITH: ['?'], NOT_ENDS_WITH: ['?'], GREATER_THAN: ['?'] },
  ...{ GREATER_THAN_OR_EQUAL: ['?'], LESS_THAN: ['?'], LESS_THAN_OR_EQUAL: ['?'] },
  ...{ IN_DATE_RANGE: ['?', '?'], NOT_IN_DATE_RANGE: ['?', '?'], BEFORE_DATE: ['?'], AFTER_DATE: ['?'] },
  ...{ BEFORE_OR_ON_DATE: ['?'], AFTER_OR_ON_DATE: ['?'], IS_NULL: [], IS_NOT_NULL: [] },
};

const FIELD_OF: Readonly<Record<DataType, string>> = {
  TEXT: 'text',
  INTEGER: 'int',
  NUMBER: 'num',
  DECIMAL: 'dec',
  FLOAT: 'float',
  DATE: 'day',
  DATETIME: 'moment',
  BOOLEAN: 'flag',
};

/** Every operator with fields of all types that it applies to. */
const PAIRS = Object.entries(OPERANDS).flatMap(([type, operands]) =>
  Object.values(FIELD_OF).flatMap((field) => {
    try {
      compile('duckdb', filtered(where(`things.${field}`, type, ...operands)));
    } catch (error) {
      if (/does not apply/.test((error as Error).message)) return [];
    }
    return [`${type} ${field}`];
  }),
);

describe('the cases', () => {
  it('cover every operator with every type and return rows, with NULLs present', () => {
    const known = new Set(CASES.filter(([due]) => due !== '').map(([, field, type]) => `${type} ${field}`));
    expect(PAIRS).toHaveLength(78);
    expect(PAIRS.filter((pair) => !known.has(pair))).toEqual([]);
  });
});

describe('a filter', () => {
  for (const [platform, engine] of RUNS) {
    describe.skipIf(!hasPlatform(engine))(`in SQL for ${platform}`, () => {
      const database = shareShop(engine);

      const run = async (query: SemanticQuery, timezone?: string) =>
        (await database.run(compile(platform, query, timezone).sql)).map(([id]) => id).join(' ');

      it.each(CASES)('keeps %s: %s %s %s', async (...[ids, field, type, ...operands]: Case) => {
        expect(await run(filtered(where(`things.${field}`, type, ...operands)))).toBe(ids);
      });

      it('combines with others by AND and OR', async () => {
        const red = where('things.text', 'CONTAINS', 'red');
        const or = {
          type: 'OR',
          filters: [where('things.int', 'EQUALS', '4'), where('things.flag', 'IS_NULL')],
        } as const;
        expect(
          await run(
            filtered({
              type: 'OR',
              filters: [{ type: 'AND', filters: [red, where('things.int', 'LESS_THAN', '3')] }, or],
            }),
          ),
        ).toBe('1 2 5 6');
        expect(await run(filtered(red, or))).toBe('');
        expect(
          await run(
            filtered({
              type: 'AND',
              filters: [{ type: 'OR', filters: [red, or] }, where('things.int', 'GREATER_THAN', '2')],
            }),
          ),
        ).toBe('4 5');
      });

      it('uses the days of the time zone', async () => {
        const day = filtered(where('things.moment', 'EQUALS', '2024-02-01'));
        expect(await run(day, 'Europe/Berlin')).toBe('1 2');
        expect(
          await run(filtered(where('things.moment', 'EQUALS', '2024-02-01T01:00:00')), 'Europe/Berlin'),
        ).toBe('2');
        expect(await run(day, 'America/New_York')).toBe('');
      });

      it('can be one of ten thousand filters', async () => {
        const many = Array.from({ length: 10_000 }, (_, at) =>
          where('things.int', 'NOT_EQUALS', String(at + 3)),
        );
        expect(await run(filtered(...many))).toBe('1 2 3 6');
        const any = many.map((_, at) => where('things.int', 'EQUALS', String(at + 2)));
        expect(await run(filtered({ type: 'OR', filters: any }))).toBe('2 4 5');
        const values = any.map((_, at) => String(at + 2));
        expect(
          await run(
            filtered(where('things.text', 'EQUALS', ...values), where('things.int', 'EQUALS', ...values)),
          ),
        ).toBe('');
      });

      it('can be nested a hundred deep, but not deeper', async () => {
        const nest = (depth: number, at = 1): SemanticFilter =>
          at === depth
            ? where('things.int', 'EQUALS', '2')
            : {
                type: at % 2 === 0 ? 'AND' : 'OR',
                filters: [nest(depth, at + 1), where('things.int', 'EQUALS', '2')],
              };
        expect(await run(filtered(nest(100)))).toBe('2');
        expect(() => compile(platform, filtered(nest(101)))).toThrow('nested more than 100 deep');
        expect(() => compile(platform, filtered(nest(1000)))).toThrow(SemanticError);
      });
    });
  }
});

describe('a grain', () => {
  const weeks = ask('things.moment_day AS d', '', {
    orderBy: [{ field: { entity: 'things', field: 'moment_day' }, desc: false }],
  });

  for (const [platform, engine] of RUNS.filter(([name]) => name !== 'mysql')) {
    it.skipIf(!hasPlatform(engine))(`uses the time zone in SQL for ${platform}`, async () => {
      const database = await openShop(engine);
      const { sql } = compile(platform, weeks, 'Europe/Berlin');
      expect((await database.run(sql)).map(([day]) => day)).toEqual([
        '2023-12-31',
        '2024-02-01',
        '2024-02-29',
        '2024-03-01',
        null,
      ]);
      await database.close();
    });
  }

  it('is refused if the platform might not know the time zone', () => {
    expect(() => compile('mysql', weeks, 'Europe/Berlin')).toThrow('time zone other than UTC');
    expect(compile('mysql', weeks, 'UTC').sql).toContain('DATE(`things`.moment)');
  });
});

describe('an invalid value', () => {
  const BAD: readonly Case[] = [
    ["Value '1.5' of things.int is not a valid INTEGER", 'int', 'EQUALS', '1.5'],
    ["Value '' of things.int is not a valid INTEGER", 'int', 'EQUALS', ''],
    ["Value '1 OR 1=1' of things.dec is not a valid DECIMAL", 'dec', 'LESS_THAN', '1 OR 1=1'],
    ["Value '.' of things.dec is not a valid DECIMAL", 'dec', 'EQUALS', '.'],
    ["Value '0x10' of things.dec is not a valid DECIMAL", 'dec', 'EQUALS', '0x10'],
    [`Value '${'9'.repeat(39)}' of things.int is not a valid INTEGER`, 'int', 'EQUALS', '9'.repeat(39)],
    ["Value 'NaN' of things.float is not a valid FLOAT", 'float', 'EQUALS', 'NaN'],
    ["Value '1e999' of things.float is not a valid FLOAT", 'float', 'EQUALS', '1e999'],
    ["Value 'yes' of things.flag is not a valid BOOLEAN", 'flag', 'EQUALS', 'yes'],
    ["Value '2023-02-29' of things.day is not a valid DATE", 'day', 'EQUALS', '2023-02-29'],
    ["Value '2024-01-01T00:00' of things.day is not a valid DATE", 'day', 'EQUALS', '2024-01-01T00:00'],
    ["Value '0000-01-01' of things.day is not a valid DATE", 'day', 'EQUALS', '0000-01-01'],
    [
      "Value '2024-01-01T24:00' of things.moment is not a valid DATETIME",
      'moment',
      'EQUALS',
      '2024-01-01T24:00',
    ],
    [
      "Value '2024-01-01T00:00:00.1234567' of things.moment is not a valid DATETIME",
      'moment',
      'EQUALS',
      '2024-01-01T00:00:00.1234567',
    ],
    ["Value 'a\0b' of things.text is not a valid TEXT", 'text', 'EQUALS', 'a\0b'],
    ["Value '\ud800' of things.text is not a valid TEXT", 'text', 'CONTAINS', '\ud800'],
    ['Operator CONTAINS does not apply to things.int, which is INTEGER', 'int', 'CONTAINS', '1'],
    [
      'Operator BEFORE_DATE does not apply to things.text, which is TEXT',
      'text',
      'BEFORE_DATE',
      '2024-01-01',
    ],
    ['Operator GREATER_THAN does not apply to things.flag, which is BOOLEAN', 'flag', 'GREATER_THAN', 'true'],
    ['Operator EQUALS takes one value or more', 'text', 'EQUALS'],
    ['Operator IN_DATE_RANGE takes 2 values', 'day', 'IN_DATE_RANGE', '2024-01-01'],
    [
      "Dates of things.day are out of order: '2024-01-02' is after '2024-01-01'",
      'day',
      'IN_DATE_RANGE',
      '2024-01-02',
      '2024-01-01',
    ],
    [
      "Dates of things.moment are out of order: '2024-01-02' is after '2024-01-01'",
      'moment',
      'IN_DATE_RANGE',
      '2024-01-02',
      '2024-01-01',
    ],
    ['Invalid operator type: toString', 'text', 'toString', 'x'],
  ];

  it.each(BAD)('is refused with a message: %s', (...[message, field, type, ...operands]: Case) => {
    const query = filtered(where(`things.${field}`, type, ...operands));
    expect(() => compile('duckdb', query)).toThrow(expect.objectContaining({ kind: 'invalid', message }));
  });

  it('is truncated in the message', () => {
    const query = filtered(where('things.int', 'EQUALS', 'x'.repeat(100_000)));
    expect(() => compile('duckdb', query)).toThrow(/^Value 'x{80}…' of things\.int is not a valid INTEGER$/);
  });
});
