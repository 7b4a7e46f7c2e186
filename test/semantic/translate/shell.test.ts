import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../../src/semantic/model/model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createRandom } from '../oracle/random.ts';
import { RESULTS, ShellWriter } from '../oracle/random-shell.ts';
import { createShop } from '../shop.ts';
import { hasPlatform, openShop, type ShopDatabase, type Simple } from '../shop-database.ts';
import { type ShopRunner, startShopRunners } from '../shop-runners.ts';

/** The number of shells on each platform. */
const SHELLS = Number(process.env.QUERN_SHELLS ?? 150);
const FIRST = Number(process.env.QUERN_FIRST_SHELL ?? 1);

type Rows = readonly (readonly Simple[])[];

/** Conditions can be numbers, and numbers differ in how many digits a platform keeps. */
function toComparable(rows: Rows): readonly string[] {
  const simplify = (value: Simple) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value);
  return rows.map((row) => JSON.stringify(row.map(simplify))).sort();
}

let parse: ParseStatements;
let native: ShopDatabase;

/** PostgreSQL runs the statements unchanged; its rows are the reference for all platforms. */
const isThere = hasPlatform('postgresql');

function compile(text: string, platform: Platform): string {
  const model = createShop({ platform });
  const [answer] = answerStatements({ model, index: createModelIndex(model) }, parse(text), {
    strict: false,
  });
  return answer!.sql;
}

beforeAll(async () => {
  parse = await prepareParser();
  if (!isThere) return;
  native = await openShop('postgresql');
  for (const [name, text] of Object.entries(RESULTS)) {
    await native.execute(`CREATE TABLE shop.result_${name} AS ${compile(text, 'postgresql')}`);
  }
});
afterAll(() => Promise.all([native?.close(), close()]));

const WORDS = [
  'JOIN',
  'GROUP BY',
  'OVER',
  'UNION',
  'EXCEPT',
  'WITH',
  'DISTINCT',
  'IN (SELECT',
  'EXISTS',
  'FILTER',
];

const { runners, close } = await startShopRunners();

/** Yellowbrick's SQL equals PostgreSQL's. */
const RUNNERS = runners.filter(([platform]) => platform !== 'yellowbrick');

/** Features that these two do not support, or that their test engines cannot run. */
const LACKS: Readonly<Partial<Record<Platform, RegExp>>> = {
  bigquery: /(?:EXCEPT|INTERSECT) ALL/,
  clickhouse: /(?:EXCEPT|INTERSECT) ALL/,
};

/** ClickHouse refuses an outer join by a constant column. */
function refuseOuterJoin(error: Error): null {
  if (error.message.includes('INVALID_JOIN_ON_EXPRESSION')) return null;
  throw error;
}

/** Compares one shell; null if the platform cannot express it, otherwise its text and its number of rows. */
async function compareShell(seed: number, platform: Platform, shop: ShopRunner) {
  const { text } = new ShellWriter(createRandom(seed)).write();
  if (LACKS[platform]?.test(text)) return null;
  const due = await native.run(text.replaceAll(/\{(\w+)\}/g, 'shop.result_$1'));
  const statement = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `(${RESULTS[name]})`);
  const sql = compile(statement, platform);
  const found = await shop.run(sql).catch(refuseOuterJoin);
  if (found === null) return null;
  expect(toComparable(found), `seed ${seed}\n${text}\n${sql}`).toEqual(toComparable(due));
  return { text, rows: due.length };
}

describe.each(RUNNERS)('SQL around results on %s', (platform, hasIt, open) => {
  it.runIf(isThere && hasIt)(
    'returns the rows of the same SQL over tables with the results',
    async () => {
      const shop = await open();
      const compared: { readonly text: string; readonly rows: number }[] = [];
      for (let seed = FIRST; seed < FIRST + SHELLS; seed += 1) {
        const one = await compareShell(seed, platform, shop);
        if (one !== null) compared.push(one);
      }
      await shop.close();
      const seen = WORDS.filter((word) => compared.some(({ text }) => text.includes(word)));
      expect(seen).toEqual(WORDS);
      expect(compared.filter(({ rows }) => rows > 0).length).toBeGreaterThan(compared.length / 2);
      expect(compared.length).toBeGreaterThan(SHELLS * 0.8);
    },
    600_000,
  );
});
