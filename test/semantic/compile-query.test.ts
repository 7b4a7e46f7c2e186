import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileQuery } from '../../src/semantic/compile-query.ts';
import { createModelIndex } from '../../src/semantic/index-model.ts';
import type { SemanticQuery } from '../../src/semantic/query.ts';
import { DIALECTS, type DialectName } from '../../src/semantic/sql/dialects.ts';
import { shop } from './shop.ts';
import { hasPlatform, openShop, type ShopDatabase, type Simple } from './shop-database.ts';

const folder = path.resolve(import.meta.dirname, '../../fixtures/semantic/questions');
const names = readdirSync(folder);
const index = createModelIndex(shop);

function readJson<T>(name: string, file: string): T {
  return JSON.parse(readFileSync(path.join(folder, name, file), 'utf8'));
}

const compile = (name: string, dialect: DialectName) =>
  compileQuery(index, readJson<SemanticQuery>(name, 'question.json'), { dialect, strict: false });

/** Digits that every platform has. */
const toNear = (row: readonly Simple[]) =>
  row.map((value) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value));

/** MariaDB's booleans are numbers. */
const toKnown = (row: readonly Simple[], platform: DialectName) =>
  row.map((value) => (platform === 'mysql' && typeof value === 'boolean' ? Number(value) : value));

describe('everyday questions', () => {
  it('are there', () => {
    expect(names.length).toBeGreaterThan(9);
  });

  for (const platform of Object.keys(DIALECTS) as DialectName[]) {
    describe.skipIf(!hasPlatform(platform))(platform, () => {
      let database: ShopDatabase;
      beforeAll(async () => {
        database = await openShop(platform);
      });
      afterAll(() => database.close());

      it.each(names)(
        '%s: SQL as it is written down, with the rows that are counted by hand',
        async (name) => {
          const { sql } = compile(name, platform);
          await expect(`${sql}\n`).toMatchFileSnapshot(path.join(folder, name, `${platform}.sql`));
          const rows = await database.run(sql);
          const due = readJson<Simple[][]>(name, 'rows.json').map((row) => toNear(toKnown(row, platform)));
          expect(rows.map(toNear)).toEqual(due);
        },
      );
    });
  }
});
