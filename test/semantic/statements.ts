import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createModelIndex } from '../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../src/semantic/model/model.ts';
import type { ParseStatements } from '../../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../../src/semantic/translate/answer-statements.ts';
import { createShop } from './shop.ts';

const folder = path.resolve(import.meta.dirname, '../../fixtures/semantic/statements');

/** The names of the stored statements to the shop. */
export const STATEMENTS: readonly string[] = readdirSync(folder).flatMap(
  (file) => /^(.+)\.txt$/.exec(file)?.[1] ?? [],
);

export function readStatement(name: string): string {
  return readFileSync(path.join(folder, `${name}.txt`), 'utf8');
}

/** The path of the golden SQL of a statement on a platform. */
export function findGolden(name: string, platform: Platform): string {
  return path.join(folder, `${name}.${platform}.sql`);
}

/** Creates a compiler of statements to the shop. */
export function createCompiler(parse: ParseStatements): (text: string, platform: Platform) => string {
  const shops = new Map<Platform, Parameters<typeof answerStatements>[0]>();
  return (text, platform) => {
    const model = createShop({ platform });
    const asked = shops.get(platform) ?? { model, index: createModelIndex(model) };
    shops.set(platform, asked);
    return answerStatements(asked, parse(text), { strict: false })
      .map(({ sql }) => sql)
      .join(';\n');
  };
}
