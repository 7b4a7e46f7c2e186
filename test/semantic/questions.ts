import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compileQuery } from '../../src/semantic/compile/compile-query.ts';
import { SemanticError } from '../../src/semantic/errors.ts';
import { createModelIndex } from '../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../src/semantic/model/model.ts';
import type { SemanticQuery } from '../../src/semantic/query/query.ts';
import { createShop } from './shop.ts';

/** A semantic query to the shop, with its settings. */
interface Question extends SemanticQuery {
  readonly strict?: boolean;
  readonly timezone?: string;
}

const folder = path.resolve(import.meta.dirname, '../../fixtures/semantic/questions');

/** The names of the stored semantic queries. */
export const QUESTIONS = readdirSync(folder);

/** The path of a file of a query. */
export function findFile(question: string, file: string): string {
  return path.join(folder, question, file);
}

export function readJson<T>(question: string, file: string): T {
  return JSON.parse(readFileSync(findFile(question, file), 'utf8'));
}

/** The SQL of a query, or its error. */
export function compileQuestion(
  name: string,
  platform: Platform,
): { readonly sql: string } | { readonly refusal: string } {
  const { strict = false, timezone = 'UTC', ...query } = readJson<Question>(name, 'question.json');
  const index = createModelIndex(createShop({ platform, timezone }));
  try {
    return { sql: compileQuery(index, query, { dialect: platform, strict }).sql };
  } catch (error) {
    if (error instanceof SemanticError) return { refusal: error.message };
    throw error;
  }
}
