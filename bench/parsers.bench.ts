import { createGate } from '../src/engine/connection/duckdb/gate/gate.ts';
import { readManifest } from '../src/engine/project/manifest.ts';
import { compileFile } from '../src/engine/script/compile.ts';
import { findImports } from '../src/engine/script/find-imports.ts';
import { loadProgram } from '../src/engine/script/load-program.ts';
import { substituteParams } from '../src/engine/script/params.ts';
import { createParseCache } from '../src/engine/script/parse-cache.ts';
import { createGlob } from '../src/engine/text/glob.ts';
import { SQL_DIALECT } from '../src/engine/text/sql-dialect.ts';
import { SQL_LEXIS } from '../src/engine/text/sql-lexis.ts';
import { splitStatements } from '../src/engine/text/sql-scanner.ts';
import { parseFilter } from '../src/identity/scim/parse-filter.ts';
import { readModelFile } from '../src/semantic/read-model-file.ts';
import { findCalls, findQualifiedColumns, scanExpression } from '../src/semantic/scan-expression.ts';
import { createJsonScan } from '../src/server/http/scan-json.ts';
import type { Bench, Figures } from './bench.ts';

// Whether the time that a parser of callers' texts takes grows with the text alone: every pair of 57 pieces is repeated to
// 16 KB, and the slowest text of each parser is then compared with one of 64 KB. Four times as long is what it should take.
const SMALL = 16_000;
const LARGE = 64_000;
/** More than four, for what the compiler of the engine and other processes do meanwhile. */
const MOST = 8;
const PIECES = [
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

type Parser = (text: string) => unknown;

function compile(text: string): void {
  const files = [{ name: 'a.sql', text }];
  const snapshot = { root: 'p', packages: [{ id: 'p', name: 'p', files, imports: {} }] };
  const options = { dialect: SQL_DIALECT.duckdb, lexis: SQL_LEXIS.duckdb, now: 0, warn: () => undefined };
  compileFile(loadProgram(snapshot, {}, createParseCache()), 'a.sql', options);
}

const gate = createGate('/nowhere', []);
const PARSERS: Readonly<Record<string, Parser>> = {
  scripts: compile,
  'bodies of blocks': (text) => compile(`#+src sql A() #+begin SELECT 1 ${text} #+end\n{{ A() }}`),
  expressions: (text) => compile(`{{ ${text} }}`),
  'parameters and imports': (text) => findImports(substituteParams({ name: 'a.sql', text }, { a: 'x' })),
  'the gate of SQL': (text) => gate.checkStatement(`SELECT ${text}`),
  'statements of DuckDB': (text) => splitStatements(text, SQL_LEXIS.duckdb),
  'statements of PostgreSQL': (text) =>
    splitStatements(`CREATE FUNCTION f() BEGIN ATOMIC ${text}`, SQL_LEXIS.postgresql),
  'statements of MySQL': (text) => splitStatements(`CREATE FUNCTION f() ${text}`, SQL_LEXIS.mysql),
  manifests: (text) => readManifest({ name: 'project.toml', text }),
  'semantic models': (text) => readModelFile({ name: 'm.yaml', text: `version: "1.0"\nlayers: ${text}` }),
  'expressions of models': (text) => {
    const expression = scanExpression(text, SQL_LEXIS.duckdb);
    return [findCalls(expression), findQualifiedColumns(expression)];
  },
  'filters of SCIM': (text) => parseFilter(`userName eq "a" and ${text}`),
  'selectors of tests': (text) => createGlob(text)('a'.repeat(LARGE)),
  'bodies of JSON': (text) => createJsonScan().scan(Buffer.from(text)),
};

const repeat = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

/** How long a text takes, in milliseconds, whatever the parser says of it. */
function time(parse: Parser, text: string): number {
  const start = performance.now();
  try {
    parse(text);
  } catch {
    // A refusal is an answer.
  }
  return performance.now() - start;
}

/** The pair of pieces whose repetition takes longest. */
function findSlowest(parse: Parser): string {
  let [slowest, longest] = ['', 0];
  for (const first of PIECES) {
    for (const second of ['', ...PIECES]) {
      const text = repeat(first + second, SMALL);
      // The first time, some of it is compiled.
      const taken = Math.min(time(parse, text), time(parse, text));
      if (taken > longest) [slowest, longest] = [first + second, taken];
    }
  }
  return slowest;
}

export const benches: readonly Bench[] = Object.entries(PARSERS).map(([name, parse]) => {
  const piece = findSlowest(parse);
  const measure = (length: number) => async (): Promise<Figures> => {
    return { wall: time(parse, repeat(piece, length)), cpu: 0, peak: 0 };
  };
  return {
    name: `${name}: 64 KB of ${JSON.stringify(piece)} ÷ 16 KB`,
    peerName: '16 KB',
    runs: 9,
    ours: measure(LARGE),
    peer: measure(SMALL),
    limits: [{ metric: 'wall', most: MOST }],
  };
});
