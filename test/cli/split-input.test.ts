import { describe, expect, it } from 'vitest';
import { completeSql } from '../../src/cli/repl/complete-sql.ts';
import { Completeness, splitInput } from '../../src/cli/repl/split-input.ts';
import { duckdbRules, mysqlRules } from '../../src/engine/text/lexical-rules.ts';

const sql = (text: string) => ({ kind: 'sql', text });
const command = (line: string) => ({ kind: 'command', line });

describe('splitInput', () => {
  it.each([
    ['', [], ''],
    ['SELECT 1', [], 'SELECT 1'],
    ['SELECT 1;', [sql('SELECT 1;')], ''],
    ['SELECT 1; SELECT 2; SEL', [sql('SELECT 1;'), sql('SELECT 2;')], 'SEL'],
    ["SELECT 'a;b'; x", [sql("SELECT 'a;b';")], 'x'],
    ["SELECT 'it''s;", [], "SELECT 'it''s;"],
    ['SELECT ";"";"', [], 'SELECT ";"";"'],
    ['SELECT 1 -- no; end\n;', [sql('SELECT 1 -- no; end\n;')], ''],
    ['SELECT /* ; */ 1;', [sql('SELECT /* ; */ 1;')], ''],
    ['SELECT /* ; 1;', [], 'SELECT /* ; 1;'],
    ['SELECT $$;$$, $a$;$$;$a$;', [sql('SELECT $$;$$, $a$;$$;$a$;')], ''],
    [';;', [], ''],
    ['SELECT 1; -- the end', [sql('SELECT 1;')], ''],
    ['-- not; yet', [], '-- not; yet'],
    ['-- a; b\nSELECT 1;\n/* c */ SELECT 2;', [sql('-- a; b\nSELECT 1;'), sql('/* c */ SELECT 2;')], ''],
    ['.tables', [command('.tables')], ''],
    ['\\d flights', [command('\\d flights')], ''],
    ['QUIT;', [command('QUIT;')], ''],
    ['help me', [], 'help me'],
    ['SELECT 1\n.5;', [sql('SELECT 1\n.5;')], ''],
    ['SELECT 1;\n.read a.sql\nSELECT 2;', [sql('SELECT 1;'), command('.read a.sql'), sql('SELECT 2;')], ''],
  ])('splits %j', (text, inputs, rest) => {
    expect(splitInput(text, duckdbRules)).toEqual({ inputs, rest });
  });

  it('reads quotes as the database does', () => {
    expect(splitInput("SELECT 'a\\';' # b;\n;", mysqlRules).inputs).toEqual([sql("SELECT 'a\\';' # b;\n;")]);
    expect(splitInput('SELECT `;`;', mysqlRules).inputs).toEqual([sql('SELECT `;`;')]);
  });
});

describe('Completeness', () => {
  it.each([
    [duckdbRules, ["SELECT 'a;", "\nb'';", "\nc'", '\n;']],
    [duckdbRules, ["SELECT E'a\\';", "\n;'", '\n;']],
    [duckdbRules, ['SELECT $x$;', '\n$$;', '\n$x$', '\n, 1 -- ;', '\n;']],
    [duckdbRules, ['SELECT /* ;', '\n/* ; */ ;', '\n*/ 1', '\n;']],
    [mysqlRules, ['SELECT "a\\";', '\n;"', '\n# ;', '\n;']],
  ])('finds the end of a statement that grows line by line (%#)', (rules, lines) => {
    const completeness = new Completeness();
    let text = '';
    const found = lines.map((line, at) => {
      text += line;
      return completeness.check(at === 0 ? null : line, () => text, rules);
    });
    expect(found).toEqual(lines.map((_, at) => at === lines.length - 1));
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
