import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createDimension, createEntity, createModel } from '../shop.ts';
import { hasPlatform, openShop, type ShopDatabase, type Simple } from '../shop-database.ts';
import { createZoneCases, FIRST_MOMENT, isCertain, print, ZONES } from './zone-cases.ts';

/** The number of moments in each time zone. */
const MOMENTS = Number(process.env.QUERN_ZONE_MOMENTS ?? 60);

let parse: ParseStatements;
let databases: Readonly<Record<'duckdb' | 'postgresql', ShopDatabase>>;
const isThere = hasPlatform('postgresql');

beforeAll(async () => {
  parse = await prepareParser();
  if (!isThere) return;
  databases = { duckdb: await openShop('duckdb'), postgresql: await openShop('postgresql') };
  await databases.postgresql.execute(FIRST_MOMENT);
});
afterAll(() => Promise.all(Object.values(databases ?? {}).map((database) => database.close())));

type Cases = ReturnType<typeof createZoneCases>;

/** The rows of `moments`: a DATETIME, and a DATE near it. */
function printRows({ moments }: Cases): string {
  const rows = moments.map((ms, at) => {
    const day = print(ms + ((at % 3) - 1) * 43_200_000).slice(0, 10);
    return `(${at}, TIMESTAMP '${print(ms)}', DATE '${day}')`;
  });
  return `INSERT INTO shop.moments VALUES ${rows.join(', ')}`;
}

const entity = createEntity({
  name: 'moments',
  dimensions: [
    createDimension({ name: 'id', dataType: 'INTEGER' }),
    createDimension({ name: 'ts', dataType: 'DATETIME' }),
    createDimension({ name: 'd', dataType: 'DATE' }),
  ],
});

type Rows = readonly (readonly Simple[])[];

async function ask(platform: 'duckdb' | 'postgresql', zone: string, { expressions }: Cases): Promise<Rows> {
  const model = createModel([entity], { platform, timezone: zone });
  const items = expressions.map(([text], at) => `${text} AS v${at}`);
  const text = `SELECT id, ${items.join(', ')} FROM moments ORDER BY id`;
  const [answer] = answerStatements({ model, index: createModelIndex(model) }, parse(text), {
    strict: false,
  });
  return databases[platform].run(answer!.sql);
}

/** PostgreSQL's own values, in a session with the time zone. */
async function askNative(zone: string, { expressions }: Cases): Promise<Rows> {
  const { postgresql } = databases;
  const items = expressions.map(([text, native = text]) =>
    native.replaceAll(/\bts\b/g, "(ts AT TIME ZONE 'UTC')"),
  );
  await postgresql.execute(`SET TIME ZONE '${zone}'`);
  try {
    return await postgresql.run(`SELECT id, ${items.join(', ')} FROM shop.moments ORDER BY id`);
  } finally {
    await postgresql.execute("SET TIME ZONE 'UTC'");
  }
}

describe.skipIf(!isThere)('dates and times in a time zone', () => {
  it.each(ZONES)('are those of a session of PostgreSQL in %s', async (zone) => {
    const cases = createZoneCases(zone, MOMENTS);
    for (const database of Object.values(databases)) {
      await database.execute('DROP TABLE IF EXISTS shop.moments');
      await database.execute('CREATE TABLE shop.moments (id INTEGER, ts TIMESTAMP, d DATE)');
      await database.execute(printRows(cases));
    }
    const due = await askNative(zone, cases);
    expect(due.length).toBeGreaterThan(10);
    for (const platform of ['duckdb', 'postgresql'] as const) {
      const found = await ask(platform, zone, cases);
      const isCompared = (ms: number) => platform === 'postgresql' || isCertain(zone, ms);
      const differences = cases.moments.filter(isCompared).flatMap((ms) => {
        const row = cases.moments.indexOf(ms);
        return cases.expressions.flatMap(([text], at) => {
          const [own, other] = [found[row]![at + 1], due[row]![at + 1]];
          return own === other ? [] : [`${print(ms)} ${text}: ${own}, not ${other}`];
        });
      });
      expect(differences, platform).toEqual([]);
    }
  });
});
