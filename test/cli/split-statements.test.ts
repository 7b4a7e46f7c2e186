import { describe, expect, it } from 'vitest';
import { completeSql } from '../../src/cli/repl/complete-sql.ts';
import { splitStatements } from '../../src/cli/repl/split-statements.ts';

describe('splitStatements', () => {
  it.each([
    ['', [], ''],
    ['SELECT 1', [], 'SELECT 1'],
    ['SELECT 1;', ['SELECT 1;'], ''],
    ['SELECT 1; SELECT 2; SEL', ['SELECT 1;', 'SELECT 2;'], ' SEL'],
    ["SELECT 'a;b'; x", ["SELECT 'a;b';"], ' x'],
    ["SELECT 'it''s;", [], "SELECT 'it''s;"],
    ['SELECT ";"";"', [], 'SELECT ";"";"'],
    ['SELECT 1 -- no; end\n;', ['SELECT 1 -- no; end\n;'], ''],
    ['SELECT /* ; */ 1;', ['SELECT /* ; */ 1;'], ''],
    ['SELECT /* ; 1;', [], 'SELECT /* ; 1;'],
    ['SELECT $$;$$, $a$;$$;$a$;', ['SELECT $$;$$, $a$;$$;$a$;'], ''],
    [';;', [], ''],
  ])('splits %j', (text, statements, rest) => {
    expect(splitStatements(text)).toEqual({ statements, rest });
  });
});

describe('completeSql', () => {
  const names = ['airports', 'iata'];

  it.each([
    ['SELECT * FROM air', [['airports'], 'air']],
    ['SELECT IA', [['iata'], 'IA']],
    ['sel', [['select'], 'sel']],
    ['SEL', [['SELECT'], 'SEL']],
    ['SELECT ', [[], '']],
    ['.ta', [['.tables'], '.ta']],
  ])('completes %j', (line, completed) => {
    expect(completeSql(line, names, ['.tables', '.timer'])).toEqual(completed);
  });
});
