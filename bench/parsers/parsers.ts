import { createGate } from '../../src/engine/connection/duckdb/gate/gate.ts';
import { readManifest } from '../../src/engine/project/manifest.ts';
import { compileFile } from '../../src/engine/script/compile.ts';
import { findImports } from '../../src/engine/script/load/find-imports.ts';
import { loadProgram } from '../../src/engine/script/load/load-program.ts';
import { createParseCache } from '../../src/engine/script/load/parse-cache.ts';
import { substituteParams } from '../../src/engine/script/params/params.ts';
import { createGlob } from '../../src/engine/text/glob.ts';
import { finish } from '../../src/engine/text/interruptible.ts';
import { LEXICAL_RULES } from '../../src/engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../src/engine/text/sql-dialect.ts';
import { splitStatements } from '../../src/engine/text/sql-scanner.ts';
import { parseFilter } from '../../src/identity/scim/protocol/parse-filter.ts';
import { readModelFile } from '../../src/semantic/model/read/read-model-file.ts';
import { findCalls, findQualifiedColumns, scanExpression } from '../../src/semantic/model/scan-expression.ts';
import { createJsonScan } from '../../src/server/http/bodies/scan-json.ts';

/** What texts of attackers are made of. */
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

/** Reads a text; throws for one that it refuses. */
export type Parser = (text: string) => unknown;

function compile(text: string): void {
  const files = [{ name: 'a.sql', text }];
  const snapshot = { root: 'p', packages: [{ id: 'p', name: 'p', files, imports: {} }] };
  const options = {
    dialect: SQL_DIALECT.duckdb,
    lexicalRules: LEXICAL_RULES.duckdb,
    now: 0,
    warn: () => undefined,
  };
  compileFile(loadProgram(snapshot, {}, createParseCache()), 'a.sql', options);
}

const gate = createGate('/nowhere', []);
/** Everything that reads callers' texts. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  scripts: compile,
  'bodies of blocks': (text) => compile(`#+src sql A() #+begin SELECT 1 ${text} #+end\n{{ A() }}`),
  expressions: (text) => compile(`{{ ${text} }}`),
  'parameters and imports': (text) => findImports(substituteParams({ name: 'a.sql', text }, { a: 'x' })),
  'the gate of SQL': (text) => finish(gate.checkStatement(`SELECT ${text}`)),
  'statements of DuckDB': (text) => splitStatements(text, LEXICAL_RULES.duckdb),
  'statements of PostgreSQL': (text) =>
    splitStatements(`CREATE FUNCTION f() BEGIN ATOMIC ${text}`, LEXICAL_RULES.postgresql),
  'statements of MySQL': (text) => splitStatements(`CREATE FUNCTION f() ${text}`, LEXICAL_RULES.mysql),
  manifests: (text) => readManifest({ name: 'project.toml', text }),
  'semantic models': (text) => readModelFile({ name: 'm.yaml', text: `version: "1.0"\nlayers: ${text}` }),
  'expressions of models': (text) => {
    const expression = scanExpression(text, LEXICAL_RULES.duckdb);
    return [findCalls(expression), findQualifiedColumns(expression)];
  },
  'filters of SCIM': (text) => parseFilter(`userName eq "a" and ${text}`),
  'selectors of tests': (text) => createGlob(text)('a'.repeat(text.length)),
  'bodies of JSON': (text) => createJsonScan().scan(Buffer.from(text)),
};
