import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../../src/semantic/model/model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createRandom } from '../oracle/random.ts';
import { RESULTS, ShellWriter } from '../oracle/random-shell.ts';
import { createShop } from '../shop.ts';
import { hasPlatform, openShop, RUNS, type ShopDatabase, type Simple } from '../shop-database.ts';

/** How many shells run on each platform. */
const SHELLS = Number(process.env.QUERN_SHELLS ?? 150);
const FIRST = Number(process.env.QUERN_FIRST_SHELL ?? 1);

type Rows = readonly (readonly Simple[])[];

/** Conditions may be numbers, and numbers differ in how many digits a platform keeps. */
function toComparable(rows: Rows): readonly string[] {
  const simplify = (value: Simple) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value);
  return rows.map((row) => JSON.stringify(row.map(simplify))).sort();
}

let parse: ParseStatements;
let native: ShopDatabase;

/** PostgreSQL reads the texts as they are; it stands for itself and for all others. */
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
afterAll(() => native?.close());

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

describe.each(RUNS.slice(0, 3))('SQL around results on %s', (platform, engine) => {
  it.runIf(isThere && hasPlatform(engine))(
    'gives the rows that the same SQL has over tables of the results',
    async () => {
      const shop = await openShop(engine);
      const seen = new Set<string>();
      let filled = 0;
      for (let seed = FIRST; seed < FIRST + SHELLS; seed += 1) {
        const { text } = new ShellWriter(createRandom(seed)).write();
        const due = await native.run(text.replaceAll(/\{(\w+)\}/g, 'shop.result_$1'));
        const statement = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `(${RESULTS[name]})`);
        const sql = compile(statement, platform);
        const found = await shop.run(sql);
        expect(toComparable(found), `seed ${seed}\n${text}\n${sql}`).toEqual(toComparable(due));
        for (const word of WORDS) if (text.includes(word)) seen.add(word);
        filled += due.length > 0 ? 1 : 0;
      }
      await shop.close();
      expect([...seen].sort()).toEqual([...WORDS].sort());
      expect(filled).toBeGreaterThan(SHELLS / 2);
    },
    600_000,
  );
});
