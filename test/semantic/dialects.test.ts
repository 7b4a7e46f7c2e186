import { describe, expect, it } from 'vitest';
import { createDiagnostic } from '../../src/engine/text/diagnostic.ts';
import { compileQuery } from '../../src/semantic/compile/compile-query.ts';
import { createModelIndex } from '../../src/semantic/model/index/index-model.ts';
import type { Model, Platform } from '../../src/semantic/model/model.ts';
import type { SemanticQuery } from '../../src/semantic/query/query.ts';
import { DIALECTS } from '../../src/semantic/sql/dialects.ts';
import { Names } from '../../src/semantic/sql/names.ts';
import { planModelTests } from '../../src/semantic/tests/plan-model-tests.ts';
import { ask, where } from './ask.ts';
import { createDimension, createEntity, createMeasure, createModel, shop } from './shop.ts';

const platforms = Object.keys(DIALECTS) as Platform[];

/** Days of stores and their sales, joined by two columns. */
const days: Model = createModel([
  createEntity({
    name: 'days',
    dimensions: [
      createDimension({ name: 'store', dataType: 'TEXT' }),
      createDimension({ name: 'open', dataType: 'BOOLEAN' }),
    ],
    measures: [
      createMeasure({ name: 'visitors', dataType: 'INTEGER', aggregation: 'SUM', expr: 'visitors' }),
      createMeasure({ name: 'mean', dataType: 'DECIMAL', aggregation: 'AVG', expr: 'visitors - staff' }),
    ],
  }),
  createEntity({
    name: 'sales',
    dimensions: [createDimension({ name: 'article', dataType: 'TEXT' })],
    measures: [createMeasure({ name: 'sold', dataType: 'INTEGER', aggregation: 'SUM', expr: 'sold' })],
    relationships: [
      {
        name: 'day',
        joinType: 'MANY_TO_ONE',
        toEntity: 'days',
        expr: 'sales.store = days.store AND sales.day = days.day',
      },
    ],
  }),
]);

function compile(dialect: Platform, query: SemanticQuery, model: Model = days): string {
  return compileQuery(createModelIndex(model), query, { dialect, strict: false }).sql;
}

const tea = ask('', 'days.visitors', { filters: [where('sales.article', 'EQUALS', 'tea')] });

describe('a dialect', () => {
  it('names its platform in messages', () => {
    expect(platforms.map((platform) => DIALECTS[platform].platform)).toEqual(platforms);
  });

  it.each(platforms)('compares rows of two columns only if that is valid SQL: %s', (platform) => {
    const sql = compile(platform, tea);
    const isExists = ['bigquery', 'sqlserver'].includes(platform);
    expect(/WHERE EXISTS \(/.test(sql)).toBe(isExists);
    expect(/ IN \(\n/.test(sql)).toBe(!isExists);
  });

  it.each(platforms)(
    'gives the table of several legs another name than the columns of the result: %s',
    (platform) => {
      const sql = compile(platform, ask('days.store', 'days.visitors AS groups, sales.sold'));
      expect(sql).toMatch(/AS .groups_2.\n/);
      expect(sql).not.toMatch(/AS .groups.\n/);
    },
  );

  it('reads a column with the name of its table, and not the whole row, on BigQuery', () => {
    const named = createModel([
      createEntity({
        name: 'region',
        dimensions: [
          createDimension({ name: 'name', dataType: 'TEXT', expr: 'Region' }),
          createDimension({ name: 'upper', dataType: 'TEXT', expr: 'UPPER(`region`)' }),
        ],
      }),
    ]);
    const query = ask('region.name, region.upper', '');
    expect(compile('bigquery', query, named)).toContain(
      '`region`.Region AS `name`,\n  UPPER(`region`.`region`) AS `upper`',
    );
    expect(compile('databricks', query, named)).toContain('Region AS `name`,\n  UPPER(`region`) AS `upper`');
  });

  it.each(platforms)('aggregates whole expressions: %s', (platform) => {
    const sql = compile(platform, ask('', 'days.mean'));
    expect(sql).toMatch(/\(visitors - staff\)/);
    expect(sql).not.toMatch(/visitors - staff (?!AS)\S/);
  });

  it.each([
    ['postgresql', `'a\\b''c'`],
    ['redshift', `'a\\\\b''c'`],
    ['yellowbrick', `'a\\b''c'`],
    ['snowflake', `'a\\\\b''c'`],
    ['bigquery', `'a\\\\b\\'c'`],
    ['databricks', `'a\\\\b\\'c'`],
    ['trino', `'a\\b''c'`],
    ['mysql', `'a\\\\b''c'`],
    ['sqlserver', `N'a\\b''c'`],
    ['clickhouse', `'a\\\\b''c'`],
  ] as const)('writes backslashes and quotes as %s reads them', (platform, due) => {
    expect(DIALECTS[platform].quoteText("a\\b'c")).toBe(due);
  });

  it('keeps line ends in strings, whatever precedes them', () => {
    expect(DIALECTS.bigquery.quoteText('a\r\nb')).toBe("'a\\r\\nb'");
    expect(DIALECTS.sqlserver.quoteText('a\\\nb\\\r\nc\\d')).toBe("(N'a\\' + N'\nb\\' + N'\r\nc\\d')");
    expect(DIALECTS.databricks.quoteText('a\nb')).toBe("'a\nb'");
  });

  it('loses no letters and confuses no months on SQL Server', () => {
    const { textKeys, match, literals } = DIALECTS.sqlserver;
    const key = 'CAST([t].name AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2';
    expect(textKeys!.toKey('[t].name')).toBe(key);
    expect(match('starts', '[t].name', 'Ж', { caseSensitive: true, negated: false })).toBe(
      `${key} LIKE N'Ж%' ESCAPE '!'`,
    );
    expect(literals.timestamp('2024-05-01 12:00:00')).toBe("CAST('2024-05-01T12:00:00' AS DATETIME2(6))");
  });

  it('prevents replacement in strings and names on Databricks', () => {
    expect(DIALECTS.databricks.quoteText(`\${env:HOME} $x {y}`)).toBe("'$\\{env:HOME} $x {y}'");
    const aliased = ask(`days.store AS \${x}`, '');
    expect(() => compile('databricks', aliased)).toThrow(`Alias '\${x}' cannot name a column`);
    expect(compile('trino', aliased)).toContain(`AS "\${x}"`);
    expect(new Names(DIALECTS.databricks).create(`a\${b}$c`)).toBe('a_{b}$c');
  });

  it.each([
    ['bigquery', '', '`a_b_c_`'],
    ['yellowbrick', '', '"a.b_c`"'],
    ['mysql', '', '`a.b"c```'],
    ['sqlserver', ']', '[a.b"c`]]]'],
    ['clickhouse', '\\', '"a_b""c`\\\\"'],
    ['snowflake', '', '"a.b""c`"'],
  ] as const)('gives names that %s can quote', (platform, more, due) => {
    const dialect = DIALECTS[platform];
    expect(dialect.quoteName(new Names(dialect).create(`a.b"c\`${more}`))).toBe(due);
  });

  it.each([
    'a.b',
    'a$',
    '100 €',
    'fine ☺',
    '_PARTITIONTIME',
    '_table_suffix',
    '_File_name',
    '__root__',
    '_change_type',
  ])('refuses names that BigQuery reserves: %s', (name) => {
    expect(() => compile('bigquery', ask(`days.store AS ${name}`, ''))).toThrow('cannot name a column');
  });

  it.each(['Größe in %', '日本', "a's <b> & #1|2 = 3+4: x–y", 'no_partition', '_x', '2nd'])(
    'accepts names that BigQuery accepts: %s',
    (name) => {
      expect(compile('bigquery', ask(`days.store AS ${name}`, ''))).toContain(`AS \`${name}\``);
    },
  );

  it.each([
    ['postgresql', 63, 'é', 31],
    ['redshift', 127, 'é', 63],
    ['yellowbrick', 128, 'é', 64],
    ['snowflake', 255, 'é', 255],
    ['bigquery', 300, 'é', 300],
    ['databricks', 255, 'é', 255],
    ['mysql', 64, 'é', 64],
    ['sqlserver', 128, 'é', 128],
  ] as const)('accepts names as long as %s does', (platform, plain, letter, most) => {
    const named = (name: string) => ask(`days.store AS ${name}`, '');
    expect(compile(platform, named('x'.repeat(plain)))).toContain('x'.repeat(plain));
    expect(() => compile(platform, named('x'.repeat(plain + 1)))).toThrow(
      /is longer than \d+ (bytes|characters)/,
    );
    expect(compile(platform, named(letter.repeat(most)))).toContain(letter.repeat(most));
    expect(() => compile(platform, named(letter.repeat(most + 1)))).toThrow(/is longer than/);
  });

  it.each([
    ['bigquery', '9223372036854775807', '9223372036854775807'],
    ['bigquery', '-9223372036854775808', "NUMERIC '-9223372036854775808'"],
    ['bigquery', '0.1', "NUMERIC '0.1'"],
    ['bigquery', '0.1234567891', "BIGNUMERIC '0.1234567891'"],
    ['bigquery', `1${'0'.repeat(29)}`, `BIGNUMERIC '1${'0'.repeat(29)}'`],
    ['trino', '9223372036854775808', "DECIMAL '9223372036854775808'"],
    ['trino', '0.1', '0.1'],
    ['clickhouse', '0.10', "toDecimal256('0.10', 2)"],
    ['clickhouse', '-7', '-7'],
    ['snowflake', '0.1', '0.1'],
  ] as const)('keeps numbers exact on %s: %s', (platform, text, due) => {
    expect(DIALECTS[platform].literals.number(text)).toBe(due);
  });

  it.each([
    ['2024-02-29', "toDate32('2024-02-29')"],
    ['1899-12-31', "toDate32('1900-01-01')"],
    ['9999-12-31', "toDate32('2299-12-31')"],
  ])('refuses dates outside the range of ClickHouse: %s', (text, due) => {
    expect(DIALECTS.clickhouse.literals.date(text)).toBe(due);
  });

  it.each(platforms)('writes the model tests: %s', (platform) => {
    const source = { name: 'shop.yaml', text: '' };
    const span = { start: 0, end: 0 };
    const places = {
      createFinding: (_: object, message: string) => createDiagnostic(source, span, message, 'model'),
    };
    const tests = planModelTests(shop, places, platform);
    expect(tests.length).toBeGreaterThan(10);
    const texts = tests.map(({ sql }) => sql).join('\n');
    expect(/\bLIMIT\b/.test(texts)).toBe(platform !== 'sqlserver');
    expect(/\bGROUP BY \d/.test(texts)).toBe(false);
  });
});
