import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { findCluster } from '../support/spent/groups.ts';
import { readKept } from '../support/spent/kept-times.ts';
import { type Changes, findChanges, listFiles, UnknownRevisionError } from './changed-files.ts';
import { type Check, checkWords, planChecks, runProgram } from './check-files.ts';
import { type Candidate, type Choice, chooseTests, findCandidates, isTest } from './choose-tests.ts';
import { readGraph } from './import-graph.ts';
import { printChoice, toRuns } from './print-choice.ts';

// Checks what a change can break, found from git: `npm run test:near -- [REF]`.

const root = path.resolve(import.meta.dirname, '../..');

/** Seconds of tests, which take about 80 seconds in three processes. */
const BUDGET = 200;
/** Seconds of a file that the kept times do not contain. */
const UNKNOWN = 3;
/** Seconds until a cluster of Trino has started. */
const CLUSTER_START = 40;
/** After so many failed tests a run ends: each can wait a minute for what a broken page no longer shows. */
const MOST_FAILURES = 10;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const changes = readChanges(args);
  if (changes === null) return 2;
  const { base, files: changed } = changes;
  if (changed.length === 0) {
    console.log(`no file differs from ${base}`);
    return 0;
  }
  console.log(`changed files since ${base}: ${changed.length}`);
  const files = listFiles(root);
  const graph = readGraph(root, files);
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const choice = choose(findCandidates(changed, { files, graph, read }));
  const { checks, skipped } = planChecks(changed, files, graph);
  for (const line of printChoice(choice, files.filter(isTest))) console.log(line);
  const omitted = [...skipped, 'dead code (`npx knip`)', 'build (`npm run build`)', 'all other tests'];
  console.log(`not checked: ${omitted.join(', ')}; \`.ci/run\` checks everything\n`);
  const existing = changed.filter((file) => files.includes(file));
  const failed = await runChecks(checks, existing);
  const exitCode = await runTests(choice);
  if (failed.length > 0) console.log(`failed checks: ${failed.join(', ')}`);
  return exitCode === 0 && failed.length > 0 ? 1 : exitCode;
}

/** Null after an error message. */
function readChanges(args: readonly string[]): Changes | null {
  if (args.length > 1) {
    console.error(`error: unexpected argument \`${args[1]}\`\nRun \`npm run test:near -- REF\``);
    return null;
  }
  try {
    return findChanges(root, args[0]);
  } catch (error) {
    if (!(error instanceof UnknownRevisionError)) throw error;
    console.error(`error: ${error.message}\nRun \`git log --oneline\` to list revisions`);
    return null;
  }
}

function choose(candidates: readonly Candidate[]): Choice {
  const kept = readKept();
  const toPath = (file: string) => path.join(root, file);
  return chooseTests(candidates, BUDGET, {
    secondsOf: (file) => kept.get(toPath(file)) ?? UNKNOWN,
    clusterOf: (file) => (isTest(file) ? findCluster(toPath(file)) : null),
    clusterSeconds: CLUSTER_START,
  });
}

/** Runs all checks at once, and returns the names of those that have failed. */
async function runChecks(checks: readonly Check[], existing: readonly string[]): Promise<readonly string[]> {
  const running = checks.map((check) => runProgram(root, check));
  const results = [checkWords(existing), ...(await Promise.all(running))];
  for (const { name, passed, output } of results) {
    console.log(passed ? `${name}: passed` : `${name}: failed\n${output}\n`);
  }
  return results.filter(({ passed }) => !passed).map(({ name }) => name);
}

/** Runs the chosen tests, and returns the first exit code that is not 0. */
async function runTests({ chosen }: Choice): Promise<number> {
  let first = 0;
  for (const args of toRuns(chosen.map(({ file }) => file))) {
    const tests = { name: 'tests', program: 'vitest', args: [...args, `--bail=${MOST_FAILURES}`] };
    const { exitCode } = await runProgram(root, tests, 'shown');
    first ||= exitCode;
  }
  return first;
}
