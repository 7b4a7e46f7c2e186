import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';

const src = path.resolve(import.meta.dirname, '../src');

/**
 * Rooms that may use a cast (`as`), because their values come from outside the type system; `/*` means a
 * folder and everything below. Other rooms use types, generics and checks.
 */
const MAY_CAST: Readonly<Record<string, string>> = {
  invariants: 'narrows types for all others',
  'store/*': 'rows of SQLite',
  'identity/*': 'JSON of providers, which a schema has read, and rows of SQLite',
  'engine/result/*': 'values of columns, which have the type of their column',
  'engine/run/blocks': 'values of columns, which have the type of their column',
  'engine/connection/*': 'values, errors and internals of drivers',
  'execution/*': 'messages of other processes',
  'workspace/services': 'messages of other processes',
  'workspace/models': 'messages of threads',
  'workspace/sign-on': 'messages of threads',
  settings: 'values of a table, each of which has the type of its setting',
  'semantic/syntax': "nodes of PostgreSQL's parser",
  'semantic/model/read': 'nodes of YAML',
  'semantic/model/load': 'documents that a schema has read',
  'semantic/model/index': 'an edge and its inverse, which name one another',
  'semantic/import/draft': 'nodes of YAML',
  'server/*': 'JSON and files of clients, and types of Fastify',
};

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly typeAnnotation?: SyntaxNode;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The casts in a text, except `as const`. */
function findCasts(text: string): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const part of value) visit(part);
    } else if (isNode(value)) {
      const isCast = value.type === 'TSAsExpression' || value.type === 'TSTypeAssertion';
      const type = value.typeAnnotation;
      if (isCast && type !== undefined && text.slice(type.start, type.end) !== 'const') {
        found.push(text.slice(value.start, value.end));
      }
      for (const part of Object.values(value)) visit(part);
    }
  };
  visit(parseAst(text, { lang: 'ts' }));
  return found;
}

const casts = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll(path.sep, '/'))
  .flatMap((file) => findCasts(readFileSync(path.join(src, file), 'utf8')).map((cast) => ({ file, cast })));

function isIn(file: string, row: string): boolean {
  return row.endsWith('/*') ? file.startsWith(row.slice(0, -1)) : path.posix.dirname(file) === row;
}

describe('a cast', () => {
  it('is found, unless it is `as const`', () => {
    expect(findCasts('const a = b as string;')).toEqual(['b as string']);
    expect(findCasts("import { a as b } from 'c'; export { b as c }; const d = [1] as const;")).toEqual([]);
    expect(findCasts('f(<T>(a: T) => g(a as unknown as T));')).toHaveLength(2);
  });

  it('appears only in rooms that may have one', () => {
    expect(casts.length).toBeGreaterThan(100);
    const rows = Object.keys(MAY_CAST);
    const findStray = (all: typeof casts) => all.filter(({ file }) => !rows.some((row) => isIn(file, row)));
    expect(findStray(casts)).toEqual([]);
    const planted = { file: 'engine/run/run-script.ts', cast: 'a as string' };
    expect(findStray([...casts, planted])).toEqual([planted]);
  });

  it('appears in each of these rooms', () => {
    const spare = Object.keys(MAY_CAST).filter((row) => !casts.some(({ file }) => isIn(file, row)));
    expect(spare).toEqual([]);
  });
});
