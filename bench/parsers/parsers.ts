import { createGate } from '../../src/engine/connection/duckdb/gate/gate.ts';
import { readManifest } from '../../src/engine/project/manifest.ts';
import { compileFile } from '../../src/engine/script/compile.ts';
import { loadProgram } from '../../src/engine/script/load/load-program.ts';
import { createParseCache } from '../../src/engine/script/load/parse-cache.ts';
import { scanNames } from '../../src/engine/script/load/scan-names.ts';
import { substituteParams } from '../../src/engine/script/params/params.ts';
import { finish } from '../../src/engine/text/interruptible.ts';
import { LEXICAL_RULES } from '../../src/engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../src/engine/text/sql-dialect.ts';
import { findStatements } from '../../src/engine/text/sql-scanner.ts';
import { parseFilter } from '../../src/identity/scim/protocol/parse-filter.ts';
import { readModelFile } from '../../src/semantic/model/read/read-model-file.ts';
import { findCalls, findQualifiedColumns, scanExpression } from '../../src/semantic/model/scan-expression.ts';
import { prepareParser } from '../../src/semantic/syntax/parse-statements.ts';
import { createJsonScan } from '../../src/server/http/bodies/scan-json.ts';
import { createGlob } from '../../src/text/glob.ts';

/** The pieces of attackers' texts. */
export const PIECES = [
  ...[
    'a',
    '1',
    '"',
    "'",
    '`',
    '$',
    '$$',
    '$a$',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '{{',
    '}}',
    '#',
    '#+',
    '--',
    '/*',
    '*/',
  ],
  ...[
    '#+if 1 then x',
    '#+end',
    '#+for i : [1] do',
    '#+begin',
    '#+src sql A()',
    '#+import "a"',
    '#+const a = 1;',
  ],
  ...[';', ',', '.', '=', ' ', '\n', '\t', '\u2028', '\\', ':', '?', '@', "e'", "''", '""', '*', '- ', '+'],
  ...['BEGIN ', 'END ', 'CASE ', 'SELECT ', 'FROM ', 'AS ', 'eq ', 'and ', 'not ', 'é', '😀', 'x.y'],
];

/** Parses a text; throws if it refuses the text. */
export type Parser = (text: string) => unknown;

function compile(text: string): void {
  const files = [{ name: 'a.sql', text }];
  const snapshot = {
    needs: [{ id: 'p' }] as const,
    packages: [{ id: 'p', name: 'p', files, unreadable: [], imports: {} }],
  };
  const options = {
    dialect: SQL_DIALECT.duckdb,
    lexicalRules: LEXICAL_RULES.duckdb,
    now: 0,
    warn: () => undefined,
  };
  compileFile(loadProgram(snapshot, {}, createParseCache()), 'a.sql', options);
}

const gate = createGate('/nowhere', []);
const parseSemanticSql = await prepareParser();
/** All parsers of user input. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  scripts: compile,
  'block bodies': (text) => compile(`#+src sql A() #+begin SELECT 1 ${text} #+end\n{{ A() }}`),
  expressions: (text) => compile(`{{ ${text} }}`),
  'parameters and names': (text) => scanNames(substituteParams({ name: 'a.sql', text }, { a: 'x' })),
  'the SQL gate': (text) => finish(gate.checkStatement(`SELECT ${text}`)),
  'DuckDB statements': (text) => findStatements(text, LEXICAL_RULES.duckdb),
  'PostgreSQL statements': (text) =>
    findStatements(`CREATE FUNCTION f() BEGIN ATOMIC ${text}`, LEXICAL_RULES.postgresql),
  'MySQL statements': (text) => findStatements(`CREATE FUNCTION f() ${text}`, LEXICAL_RULES.mysql),
  manifests: (text) => readManifest({ name: 'project.toml', text }),
  'semantic models': (text) => readModelFile({ name: 'm.yaml', text: `version: "1.0"\nlayers: ${text}` }),
  'model expressions': (text) => {
    const expression = scanExpression(text, LEXICAL_RULES.duckdb);
    return [findCalls(expression), findQualifiedColumns(expression)];
  },
  'Semantic SQL': (text) => parseSemanticSql(`SELECT ${text}`),
  'SCIM filters': (text) => parseFilter(`userName eq "a" and ${text}`),
  'test selectors': (text) => createGlob(text)('a'.repeat(text.length)),
  'JSON bodies': (text) => createJsonScan().scan(Buffer.from(text)),
};
