import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duckdbRules } from '../../../src/engine/text/lexical-rules.ts';
import { findStatements, scanSql } from '../../../src/engine/text/sql-scanner.ts';
import { shareDuckDB } from '../../support/duckdb.ts';
import { share } from '../../support/rotation.ts';
import { script } from './sql-pieces.ts';

const duckdb = shareDuckDB();

/** The number of statements that DuckDB finds; its client reports this error for SQL without a statement. */
async function countByDuckDB(text: string): Promise<number> {
  try {
    return (await duckdb().extractStatements(text)).count;
  } catch (error) {
    if (error instanceof Error && error.message === 'Error in native callback') return 0;
    throw error;
  }
}

function split(text: string): string[] {
  return findStatements(text, duckdbRules).map(({ start, end }) => text.slice(start, end));
}

describe('the statements that DuckDB finds', () => {
  it('are those of the scanner in generated SQL', async () => {
    await fc.assert(
      fc.asyncProperty(script, async ({ text }) => {
        const statements = split(text);
        expect(await countByDuckDB(text)).toBe(statements.length);
        for (const statement of statements) expect(await countByDuckDB(statement)).toBe(1);
      }),
      { numRuns: share(400) },
    );
  });

  it.each([
    ['select /* /* ; */ ; */ 1', 1],
    ['select 1 /*/ ; */; select 2', 2],
    ["select 'a\\'; select 2", 2],
    ["select E'a\\';'; select 2", 2],
    ["select E'a'\n'b\\';'; select 2", 2],
    ["select E'a' -- c\n'b\\';'; select 2", 2],
    ["select x'00;', n';', b';' ; select 2", 2],
    ['select $t$;$$;$T$;$t$; select 2', 2],
    ['select 1 as a$b$c; select 2 as a$$; select 3', 3],
    ['select $1; select ?; select ?2', 3],
    ['select $x; select $é; select $"a;b"', 3],
    ['select 1 as "a"";b"; select 2', 2],
    ['select 1 --;\r; select 2 --;\u2028;', 2],
    ['\ufeffselect\u00a01;\u3000select 2\u200b;\u2060', 2],
    ['select 1 as a\u0085b\u2028c; select 2', 2],
    ['select 1*/* ; */2; select 1 <-- ;\n 2', 2],
    ['select #1 from (select 1); select 1_0, .5, 1., 1e5, 1e', 2],
    [';; -- a\n; /* b */', 0],
  ])('are those of the scanner in %j', async (text, count) => {
    expect(split(text).length).toBe(count);
    expect(await countByDuckDB(text)).toBe(count);
  });

  it.each(["select 'a", 'select "a', 'select $t$ a', 'select 1 /* /* */', "select E'a\\'"])(
    'that %j is not terminated',
    async (text) => {
      expect(Array.from(scanSql(text, duckdbRules)).at(-1)?.terminated).toBe(false);
      await expect(countByDuckDB(text)).rejects.toThrow('unterminated');
    },
  );

  it.each([
    ['stops at a NUL', 'select 1;\0 select 2', 1, 2],
    ['ignores a statement without ASCII', 'select 1; é; select 2', 2, 3],
  ])('differ from those of the scanner: DuckDB %s', async (_, text, byDuckDB, byUs) => {
    expect(await countByDuckDB(text)).toBe(byDuckDB);
    expect(split(text).length).toBe(byUs);
  });
});
