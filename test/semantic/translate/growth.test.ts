import { beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../../src/semantic/model/model.ts';
import { DIALECTS } from '../../../src/semantic/sql/dialects.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { SemanticSqlError } from '../../../src/semantic/syntax/semantic-sql-error.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createShop } from '../shop.ts';

let parse: ParseStatements;
beforeAll(async () => {
  parse = await prepareParser();
});

const list = (count: number, create: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => create(at)).join(', ');
const nest = (depth: number, before: string, inner: string, behind: string) =>
  before.repeat(depth) + inner + behind.repeat(depth);

/** Nested repetition: if each level were written twice, the SQL would grow exponentially. */
const STATEMENTS: Readonly<Record<string, string>> = {
  nullif: `SELECT ${nest(60, 'NULLIF(', 'status', ", 'x')")} FROM orders`,
  greatest: `SELECT ${nest(60, 'GREATEST(amount, ', 'amount', ')')} FROM orders`,
  distinct: `SELECT ${nest(60, '(', 'TRUE', ' IS DISTINCT FROM (id = 1))')} FROM orders`,
  conditions: `SELECT ${nest(60, '(', 'id = 1', ') = (id = 2)')} FROM orders`,
  choices: `SELECT ${nest(60, 'CASE WHEN (', 'id = 1', ') = TRUE THEN TRUE ELSE FALSE END')} FROM orders`,
  texts: `SELECT ${nest(60, 'CONCAT(', 'status', ", 'x')")} FROM orders`,
  trimmed: `SELECT ${nest(60, 'TRIM(', 'status', ')')} FROM orders`,
  remainders: `SELECT ${nest(60, '(', 'id', ' % 7)')} FROM orders`,
  quotients: `SELECT ${nest(60, '(', 'id', ' / 3)')} FROM orders`,
  rounded: `SELECT ${nest(60, 'ROUND(', 'weight', ')')} FROM orders`,
  weeks: `SELECT ${nest(60, "DATE_TRUNC('week', ", 'ordered_on', ')')} FROM orders`,
  months: `SELECT ${nest(60, '(', 'ordered_on', " + INTERVAL '1 month')")} FROM orders`,
  'scalar sub-queries': `SELECT ${nest(60, '(SELECT ', '1', ' + 1)')}`,
  'sub-queries of IN': `SELECT revenue, returns FROM orders, returns WHERE id IN ${nest(30, '(SELECT id FROM orders WHERE id IN ', '(SELECT id FROM orders)', ')')}`,
  'sub-queries of two legs': `SELECT revenue FROM orders WHERE id IN ${nest(12, '(SELECT revenue + returns FROM orders, returns WHERE id IN ', '(SELECT id FROM orders)', ')')}`,
  'orders of sub-queries': `SELECT status FROM orders ORDER BY ${nest(30, '(SELECT status FROM orders ORDER BY ', 'status', ' LIMIT 1)')}`,
  'derived tables': `SELECT * FROM ${nest(60, '(SELECT * FROM ', '(SELECT status, revenue FROM orders GROUP BY 1) t', ' LIMIT 9) t')}`,
  'common tables': `WITH ${list(40, (at) => `t${at} AS (SELECT a.x + b.x AS x FROM ${at === 0 ? '(SELECT 1 AS x) a, (SELECT 2 AS x) b' : `t${at - 1} a, t${at - 1} b`})`)} SELECT * FROM t39`,
  unions: `SELECT 1${' UNION ALL SELECT 1'.repeat(190)}`,
  windows: `SELECT status, ${nest(30, 'SUM(', 'revenue', ') OVER ()')} FROM orders`,
};

describe.each(Object.keys(DIALECTS) as Platform[])('nested repetition on %s', (platform) => {
  const model = createShop({ platform });
  const asked = { model, index: createModelIndex(model) };

  it.each(Object.entries(STATEMENTS))('is answered or refused: %s', (_, text) => {
    try {
      const [{ sql } = { sql: '' }] = answerStatements(asked, parse(text), { strict: false });
      expect(sql.length).toBeGreaterThan(0);
      expect(sql.length).toBeLessThan(10_000_000);
    } catch (error) {
      expect(error).toBeInstanceOf(SemanticSqlError);
    }
  });
});
