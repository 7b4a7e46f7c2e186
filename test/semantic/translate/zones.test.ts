import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../../src/semantic/model/model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createDimension, createEntity, createModel } from '../shop.ts';
import { hasPlatform, openShop, type ShopDatabase, type Simple } from '../shop-database.ts';
import { startShopRunners } from '../shop-runners.ts';
import { createZoneCases, FIRST_MOMENT, isCertain, print, ZONES } from './zone-cases.ts';
import { isRegular, printRows } from './zone-rows.ts';

/** The number of moments in each time zone. */
const MOMENTS = Number(process.env.QUERN_ZONE_MOMENTS ?? 40);

let parse: ParseStatements;
let native: ShopDatabase;
const isThere = hasPlatform('postgresql');
const { runners, close } = await startShopRunners();

/** MariaDB refuses time zones, and Yellowbrick's SQL equals PostgreSQL's. */
const RUNNERS = runners.filter(([platform]) => platform !== 'mysql' && platform !== 'yellowbrick');

beforeAll(async () => {
  parse = await prepareParser();
  if (!isThere) return;
  native = await openShop('postgresql');
  await native.execute(FIRST_MOMENT);
});
afterAll(() => Promise.all([native?.close(), close()]));

type Cases = ReturnType<typeof createZoneCases>;
type Rows = readonly (readonly Simple[])[];

const dimensions = [
  createDimension({ name: 'id', dataType: 'INTEGER' }),
  createDimension({ name: 'ts', dataType: 'DATETIME' }),
  createDimension({ name: 'd', dataType: 'DATE' }),
];

function compile(platform: Platform, zone: string, cases: Cases): string {
  const source = { kind: 'query', sql: printRows(cases.moments, platform) } as const;
  const entity = createEntity({ name: 'moments', source, dimensions });
  const model = createModel([entity], { platform, timezone: zone });
  const items = cases.expressions.map(([text], at) => `${text} AS v${at}`);
  const text = `SELECT id, ${items.join(', ')} FROM moments ORDER BY id`;
  const [answer] = answerStatements({ model, index: createModelIndex(model) }, parse(text), {
    strict: false,
  });
  return answer!.sql;
}

/** PostgreSQL's own values, in a session with the time zone. */
async function askNative(zone: string, cases: Cases): Promise<Rows> {
  const items = cases.expressions.map(([text, own = text]) =>
    own.replaceAll(/\bts\b/g, "(ts AT TIME ZONE 'UTC')"),
  );
  await native.execute(`SET TIME ZONE '${zone}'`);
  return native.run(
    `SELECT id, ${items.join(', ')} FROM (${printRows(cases.moments, 'postgresql')}) moments ORDER BY id`,
  );
}

/** ClickHouse has no type for conditions. */
const toComparable = (value: Simple) => (typeof value === 'boolean' ? Number(value) : value);

describe.each(RUNNERS)('dates and times in a time zone on %s', (platform, hasIt, open) => {
  it.runIf(isThere && hasIt)('are those of a session of PostgreSQL', { timeout: 300_000 }, async () => {
    const database = await open();
    for (const zone of ZONES) {
      const cases = createZoneCases(zone, MOMENTS);
      const due = await askNative(zone, cases);
      const found = await database.run(compile(platform, zone, cases));
      const isCompared = (ms: number) =>
        platform === 'postgresql' ||
        (isCertain(zone, ms) && (platform !== 'clickhouse' || isRegular(zone, ms)));
      const differences = cases.moments.flatMap((ms, row) => {
        if (!isCompared(ms)) return [];
        return cases.expressions.flatMap(([text], at) => {
          const [own, other] = [found, due].map((rows) => toComparable(rows[row]![at + 1]!));
          return own === other ? [] : [`${print(ms)} ${text}: ${own}, not ${other}`];
        });
      });
      expect(differences, zone).toEqual([]);
      expect(due.length).toBe(cases.moments.length);
    }
    await database.close();
  });
});
