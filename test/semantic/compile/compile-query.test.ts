import { describe, expect, it } from 'vitest';
import type { Platform } from '../../../src/semantic/model/model.ts';
import { DIALECTS } from '../../../src/semantic/sql/dialects.ts';
import { compileQuestion, findFile, QUESTIONS, readJson } from '../questions.ts';
import { hasPlatform, RUNS, type Simple, shareShop } from '../shop-database.ts';

/** Rounds to the digits that every platform returns. */
const toNear = (row: readonly Simple[]) =>
  row.map((value) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value));

/** MariaDB returns booleans as numbers. */
const toKnown = (row: readonly Simple[], platform: Platform) =>
  row.map((value) => (platform === 'mysql' && typeof value === 'boolean' ? Number(value) : value));

describe('everyday questions', () => {
  it('exist', () => {
    expect(QUESTIONS.length).toBeGreaterThan(49);
  });

  it.each(Object.keys(DIALECTS) as Platform[])('have the expected SQL for %s', async (platform) => {
    for (const name of QUESTIONS) {
      const found = compileQuestion(name, platform);
      const text = 'sql' in found ? found.sql : `-- Refused: ${found.refusal}`;
      await expect(`${text}\n`).toMatchFileSnapshot(findFile(name, `${platform}.sql`));
    }
  });

  for (const [platform, engine] of RUNS) {
    describe.skipIf(!hasPlatform(engine))(`in SQL for ${platform}`, () => {
      const database = shareShop(engine);

      it.each(QUESTIONS)('%s: returns the expected rows', async (name) => {
        const found = compileQuestion(name, platform);
        const rows = 'sql' in found ? await database.run(found.sql) : [];
        const due = 'sql' in found ? readJson<Simple[][]>(name, 'rows.json') : [];
        expect(rows.map(toNear)).toEqual(due.map((row) => toNear(toKnown(row, platform))));
      });
    });
  }
});
