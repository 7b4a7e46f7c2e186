import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  RESERVED_DUCKDB,
  RESERVED_MYSQL,
  RESERVED_POSTGRESQL,
} from '../../../src/engine/text/reserved-words.ts';
import { readModel } from '../../../src/semantic/model/load/read-model.ts';
import { DIALECTS } from '../../../src/semantic/sql/dialects.ts';
import { hasPlatform, openSchema, type ShopDatabase } from '../shop-database.ts';

const WORDS = {
  duckdb: RESERVED_DUCKDB,
  postgresql: RESERVED_POSTGRESQL,
  mysql: RESERVED_MYSQL,
} as const;

describe.each(['duckdb', 'postgresql', 'mysql'] as const)('reserved words on %s', (platform) => {
  let shop: ShopDatabase | undefined;
  beforeAll(async () => {
    if (hasPlatform(platform)) shop = await openSchema(platform, ['CREATE SCHEMA shop']);
  });
  afterAll(() => shop?.close());

  it.runIf(hasPlatform(platform))(
    'are an error of the model where the database does not parse them',
    async () => {
      const words = [...WORDS[platform]];
      const names = words.map((word) => `${DIALECTS[platform].quoteName(word)} INTEGER`);
      await shop!.execute(`CREATE TABLE shop.words (${names.join(', ')})`);
      const rejected: string[] = [];
      for (const word of words) if (!(await isGroup(word))) rejected.push(word);
      expect(words.filter(isRefused)).toEqual(rejected);
    },
  );

  async function isGroup(word: string): Promise<boolean> {
    try {
      await shop!.run(`SELECT ${word} AS word FROM shop.words AS words GROUP BY 1`);
      return true;
    } catch {
      return false;
    }
  }

  function isRefused(expr: string): boolean {
    const dimension = { name: 'word', data_type: 'TEXT', expr };
    const entity = { name: 'words', table_name: 'shop.words', dimensions: [dimension] };
    const domains = [{ name: 'words', entities: [entity] }];
    const layers = [{ name: 'words', environment: { platform }, domains }];
    const text = JSON.stringify({ version: '1.0', layers });
    return readModel([{ name: 'model.json', text }]).model === null;
  }
});
