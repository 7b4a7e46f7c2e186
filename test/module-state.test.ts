import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

// The tests of src share their modules (`isolate: false`): what a module keeps for the whole process, one test can see
// of another. A WeakMap keeps what was computed of an object, for as long as that lives, and is allowed everywhere.

const root = path.resolve(import.meta.dirname, '..');

/** A variable of a module that changes, or a collection that it fills. */
const STATE =
  /^(?:export )?(?:let (\w+)|const (\w+)(?:: (?!Readonly)[^=\n]+)? = new (?:Map|Set)(?:<.*>)?\(\);|const (\w+) = (?:new \w+Registry|create\w*Registry)\()/gm;

/** What modules may keep, and why no test sees another's. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/engine/connection/contract/collect-early.ts holders':
    'each export that begins ends, and takes itself off',
  'src/engine/connection/duckdb/instance/disk-quota.ts uses': 'by file, and each test has files of its own',
  'src/engine/connection/duckdb/instance/open-engine.ts instances':
    'by file, and closed with the last session',
  'src/engine/result/text/compile-rows.ts compiled': 'a cache: by all that the function is made from',
  'src/engine/run/publish/published-files.ts growing': 'by file, and taken off when that is written',
  'src/engine/script/syntax/scan-body.ts dollarPatterns': 'a cache: by all that the pattern is made from',
  'src/engine/text/interruptible.ts newUntil': 'for 20 ms, in which long work makes pauses',
  'src/engine/text/interruptible.ts queue': 'waits for work that is under way, and each test awaits its own',
  'src/execution/engine-process/engine-process.ts running': 'of a process of its own',
  'src/execution/engine-process/engine-process.ts socket': 'of a process of its own',
  'src/execution/engine-process/engine-process.ts reportedUse': 'of a process of its own',
  'src/semantic/model/find-synonym.ts MEANINGS': 'filled once, when the module is loaded',
  'src/semantic/model/local-time.ts formats': 'a cache: by all that the format is made from',
  'src/semantic/model/read/read-document.ts patterns': 'a cache: by all that the pattern is made from',
  'src/semantic/syntax/parser.ts loading': 'the parser, which keeps nothing of a text',
  'src/store/files/open-files.ts openFiles': 'by file, as the locks of the process are',
  'src/turns/take-turn.ts isTaken': 'work that is under way, and each test awaits its own',
  'src/workspace/models/model-thread.ts kept': 'of a thread of its own',
  'src/workspace/models/model-thread.ts registry': 'of a thread of its own',
  'test/semantic/oracle/faults.ts worlds': 'a cache: by the fault and the world',
  'test/support/chromium.ts browser': 'of tests that are isolated',
  'test/support/chromium.ts home': 'of tests that are isolated',
  'test/support/http.ts errorCodes': 'read once from the documentation',
  'test/workspace/threads/thread-program.ts calls': 'of a thread of its own',
};

/** Files of which several tests of src may load the same module. */
function listShared(): readonly string[] {
  const all = ['src', 'test'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.posix.join(folder, file.replaceAll(path.sep, '/')),
    ),
  );
  const isIsolated = (file: string) =>
    /^test\/(?:acceptance|bin|docs)\/|\/node_modules\/|\.test\.ts$/.test(file);
  return all.filter((file) => file.endsWith('.ts') && !isIsolated(file));
}

function findState(text: string): readonly string[] {
  return [...text.matchAll(STATE)].flatMap(([, ...names]) => names.filter((name) => name !== undefined));
}

it('keeps in modules only what no test sees of another', () => {
  const found = listShared().flatMap((file) =>
    findState(readFileSync(path.join(root, file), 'utf8')).map((name) => `${file} ${name}`),
  );
  expect(found.toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
});

it('knows what a module can keep', () => {
  const kept = ['let a = 1;', 'export let b: string;', 'const c = new Map<string, number>();'];
  const more = ['const d: Set<string> = new Set();', 'const e = createRegistry();'];
  const others = [
    'const f: ReadonlyMap<string, string> = new Map();',
    "const g = new Set(['x']);",
    '  let h = 1;',
  ];
  expect(findState([...kept, ...more, ...others].join('\n'))).toEqual(['a', 'b', 'c', 'd', 'e']);
});
