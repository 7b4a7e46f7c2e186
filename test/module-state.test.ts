import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

// Tests share their modules (`isolate: false`), and run several commands in their process: state that a module keeps for
// the whole process is visible to other tests and commands. A WeakMap keeps values computed from an object while that
// object exists, and is allowed everywhere.

const root = path.resolve(import.meta.dirname, '..');

/** A variable of a module that changes, or a collection that the module fills. */
const STATE =
  /^(?:export )?(?:let (\w+)|const (\w+)(?:: (?!Readonly)[^=\n]+)? = new (?:Map|Set)(?:<.*>)?\(\);|const (\w+) = (?:new \w+Registry|create\w*Registry)\()/gm;

/** The state that modules may keep, and why other tests do not depend on it. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/engine/connection/contract/early-collection.ts v8Collect': 'a function of V8',
  'src/engine/connection/contract/early-collection.ts readers': 'each export ends, and removes its entry',
  'src/engine/connection/contract/early-collection.ts collections': 'only when garbage is collected',
  'src/engine/connection/contract/early-collection.ts young': 'only when garbage is collected',
  'src/engine/connection/contract/early-collection.ts old': 'only when garbage is collected',
  'src/engine/connection/duckdb/instance/disk-quota.ts uses': 'by file, and each test has separate files',
  'src/engine/connection/duckdb/instance/open-engine.ts instances':
    'by file, and closed with the last session',
  'src/engine/connection/duckdb/values/string-reader.ts reader': 'memory that each call overwrites',
  'src/engine/result/arrow/kernels.ts kernels': 'memory that each call overwrites',
  'src/engine/result/text/compile-rows.ts compiled': 'a cache: by all inputs of the function',
  'src/engine/run/publish/published-files.ts growing': 'by file, and removed when the file is written',
  'src/engine/script/syntax/scan-body.ts dollarPatterns': 'a cache: by all inputs of the pattern',
  'src/engine/text/finish-in-pieces.ts newUntil': 'for 20 ms, during which long work makes pauses',
  'src/engine/text/finish-in-pieces.ts queue': 'waits for running work, and each test awaits its own',
  'src/execution/engine-process/engine-process.ts running': 'in a separate process',
  'src/execution/engine-process/engine-process.ts readers': 'in a separate process',
  'src/execution/engine-process/engine-process.ts reportedUse': 'in a separate process',
  'src/semantic/model/find-synonym.ts MEANINGS': 'filled once, when the module is loaded',
  'src/semantic/model/local-time.ts formats': 'a cache: by all inputs of the format',
  'src/semantic/model/read/read-document.ts patterns': 'a cache: by all inputs of the pattern',
  'src/semantic/syntax/parse-statements.ts loading': 'the parser, which keeps no text',
  'src/store/files/open-files.ts openFiles': 'by file, as the locks of the process are',
  'src/turns/take-turn.ts isTaken': 'running work, and each test awaits its own',
  'src/workspace/backup/backup-process.ts held': 'in a separate process',
  'src/workspace/models/model-process.ts cache': 'in a separate process',
  'src/workspace/models/model-process.ts registry': 'in a separate process',
  'test/acceptance/http/catalog-matrix.ts DELETED': 'by the id of an item',
  'test/acceptance/http/catalog-matrix.ts FORMER': 'by the id of an item',
  'test/acceptance/http/matrix.ts executions': 'by the id of a case',
  'test/acceptance/http/scim-matrix.ts made': 'by the id of a case',
  'test/engine/run/script-session.ts cluster': 'set once by each file of tests',
  'test/semantic/oracle/mutations.ts worlds': 'a cache: by the mutation and the world',
  'test/support/chromium.ts browser': 'each page has separate cookies and storage',
  'test/support/http.ts errorCodes': 'read once from the documentation',
  'test/support/server.ts kept': 'each file has separate items and users',
  'test/support/spent/uncounted.ts uncounted': 'a sum for the report, of all files of a process',
  'test/workspace/threads/thread-program.ts calls': 'in a separate thread',
};

/** Files whose modules several tests may share. */
function listShared(): readonly string[] {
  const all = globSync('{src,test}/**/*.ts', {
    cwd: root,
    exclude: (name) => /^(?:node_modules|\..*)$/.test(path.basename(name)),
  });
  return all.map((file) => file.replaceAll(path.sep, '/')).filter((file) => !file.endsWith('.test.ts'));
}

function findState(text: string): readonly string[] {
  return [...text.matchAll(STATE)].flatMap(([, ...names]) => names.filter((name) => name !== undefined));
}

it('modules keep only state on which no other test depends', () => {
  const found = listShared().flatMap((file) =>
    findState(readFileSync(path.join(root, file), 'utf8')).map((name) => `${file} ${name}`),
  );
  expect(found.toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
});

it('the check finds every form of module state', () => {
  const kept = ['let a = 1;', 'export let b: string;', 'const c = new Map<string, number>();'];
  const more = ['const d: Set<string> = new Set();', 'const e = createRegistry();'];
  const others = [
    'const f: ReadonlyMap<string, string> = new Map();',
    "const g = new Set(['x']);",
    '  let h = 1;',
  ];
  expect(findState([...kept, ...more, ...others].join('\n'))).toEqual(['a', 'b', 'c', 'd', 'e']);
});
