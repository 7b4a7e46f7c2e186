import { beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createModel, createShop } from '../shop.ts';
import { hasPlatform, RUNS, shareShop } from '../shop-database.ts';
import { RESULT_CASES } from './result-cases.ts';

let parse: ParseStatements;
beforeAll(async () => {
  parse = await prepareParser();
});

describe.each(RUNS.slice(0, 3))('on %s', (platform, engine) => {
  const model = createShop({ platform });
  const asked = { model, index: createModelIndex(model) };
  const shop = shareShop(engine);

  describe.each(RESULT_CASES)('%s', (_, cases) => {
    it.runIf(hasPlatform(engine)).each(cases)('%s', async (text, rows) => {
      const [answer] = answerStatements(asked, parse(text), { strict: false });
      const found = await shop.run(answer!.sql);
      const wanted = platform === 'mysql' ? rows.map((row) => row.map(toNumber)) : rows;
      expect(found).toEqual(wanted);
    });
  });

  it.runIf(hasPlatform(engine))('returns no rows for an empty model', async () => {
    const empty = createModel([], { platform });
    const [answer] = answerStatements(
      { model: empty, index: createModelIndex(empty) },
      parse('SHOW ENTITIES'),
      {
        strict: false,
      },
    );
    expect(await shop.run(answer!.sql)).toEqual([]);
  });
});

/** MariaDB has no type for conditions. */
function toNumber(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}
