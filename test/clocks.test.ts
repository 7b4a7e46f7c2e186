import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

// A test that judges by elapsed time, or waits for a fixed time, fails on a busy machine and waits too long on an idle
// one. Tests wait for conditions (`support/waiting.ts`), read figures of processes (`support/processes.ts`), or stop the
// clock (`vi.useFakeTimers`).

const root = path.resolve(import.meta.dirname, '..');

const FORMS: Readonly<Record<string, RegExp>> = {
  'performance.now': /\bperformance\.now\(/,
  hrtime: /\bhrtime\b/,
  // A difference or a comparison; a point in time is `Date.now() + …`.
  'Date.now': /\bDate\.now\(\) (?:-|[<>]=?) |(?:-|(?<!=)[<>]=?) Date\.now\(\)/,
  setTimeout: /\bsetTimeout(?:\(|,| as | \})/,
  'scheduler.wait': /\bscheduler\.wait\(/,
  waitForTimeout: /\bwaitForTimeout\(/,
  sleep: /\bsleep [\d.$]|\btime\.sleep\(/,
};

/** The files that may use a clock, and what for. */
const ALLOWED: Readonly<Record<string, string>> = {
  'test/acceptance/cli/build-kills.test.ts setTimeout':
    'a pause before a build is killed, so that it is killed at different moments',
  'test/acceptance/console/ui.test.ts sleep': 'a program that checks for a file until it is deleted',
  'test/docs/terminal.ts setTimeout': 'kills a command that hangs, after three minutes',
  'test/support/keep-process.test.ts sleep': 'a process that the test ends',
  'test/support/quern.ts setTimeout': 'interrupts a command that hangs, after two minutes',
  'test/support/trino/cluster.ts performance.now': 'waits for nodes to start, up to a limit',
  'test/support/trino/cluster.ts setTimeout': 'a pause between two checks of a condition',
  'test/support/trino/serve-cluster.ts setTimeout': 'stops a cluster that no test has used for a minute',
  'test/support/waiting.ts performance.now': 'waits for conditions, up to a limit',
  'test/support/waiting.ts setTimeout':
    'a pause between two checks of a condition; a number that is the same after 200 ms has stopped growing',
  'test/trino/ask.py sleep': 'a pause between two questions to a node that starts while Trino is installed',
  'test/workspace/backup/writer.ts setTimeout':
    'a pause between two writes, in which other processes can write; nothing waits for it',
};

/** Programs and tests below a folder, without installed packages. */
function listFiles(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return /^\.|^node_modules$/.test(entry.name) ? [] : listFiles(name);
    return /\.(?:[cm]?[jt]sx?|py|sh)$/.test(entry.name) ? [name] : [];
  });
}

function findForms(text: string): readonly string[] {
  return Object.keys(FORMS).filter((form) => FORMS[form]!.test(text));
}

it('tests use a clock only where it decides no result', () => {
  const found = listFiles('test')
    .filter((file) => file !== 'test/clocks.test.ts')
    .flatMap((file) =>
      findForms(readFileSync(path.join(root, file), 'utf8')).map((form) => `${file} ${form}`),
    );
  expect(found.toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
});

it.each([
  ['performance.now', 'const start = performance.now();'],
  ['hrtime', 'const start = process.hrtime.bigint();'],
  ['Date.now', 'const elapsed = Date.now() - start;'],
  ['Date.now', 'while (Date.now() < end);'],
  ['Date.now', 'const left = end - Date.now();'],
  ['Date.now', 'if (end <= Date.now()) throw late;'],
  ['setTimeout', "import { setTimeout as wait } from 'node:timers/promises';"],
  ['setTimeout', "import { setImmediate, setTimeout } from 'node:timers/promises';"],
  ['setTimeout', 'await new Promise((resolve) => setTimeout(resolve, 5));'],
  ['scheduler.wait', 'await scheduler.wait(5);'],
  ['waitForTimeout', 'await page.waitForTimeout(5);'],
  ['sleep', "const script = 'quern serve & sleep 1';"],
  ['sleep', "const script = 'sleep $SECONDS; kill 1';"],
  ['sleep', 'time.sleep(1)'],
])('the check finds %s in `%s`', (form, text) => {
  expect(findForms(text)).toEqual([form]);
});

it.each([
  "vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });",
  'const expires = new Date(Date.now() + 60_000);',
  'const clock = () => Date.now();',
  "const slow = 'SELECT sleep(60)';",
  "const slow = 'SELECT pg_sleep(60)';",
])('the check accepts `%s`', (text) => {
  expect(findForms(text)).toEqual([]);
});
