import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bench } from './bench.ts';
import { writeBlocks, writeChecks, writeTables } from './build-projects.ts';
import { measureProcess } from './measure.ts';

const TABLES = 300;
const BLOCKS = 1_000;
const ROWS = 10_000_000;

const quern = path.resolve(import.meta.dirname, '../bin/quern.js');
const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function run(cwd: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [quern, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`quern ${args.join(' ')}: ${stdout}${stderr}`);
}

/** Makes a folder with a home of one database, and a project in `project`, which `write` fills. */
function make(name: string, write: (project: string) => void): string {
  const home = path.join(folder, name);
  mkdirSync(home);
  run(home, 'init', '--empty', '.');
  write(path.join(home, 'project'));
  return home;
}

const [tables, blocks, checks] = [
  make('tables', (project) => writeTables(project, TABLES)),
  make('blocks', (project) => writeBlocks(project, BLOCKS)),
  make('checks', (project) => writeChecks(project, ROWS)),
];
// The published table stays in the database: each run of the checks reads it.
run(checks, 'exec', 'data.sql');
run(path.join(checks, 'project'), 'build');

const command =
  (cwd: string, ...args: readonly string[]) =>
  () =>
    measureProcess(process.execPath, [quern, ...args], cwd);

/** A command compared with another, as whole processes. */
const compare = (
  name: string,
  peerName: string,
  runs: number,
  most: number,
  [ours, peer]: readonly [Bench['ours'], Bench['ours']],
): Bench => ({ name, peerName, runs, ours, peer, limits: [{ metric: 'wall', most }] });

export const benches: readonly Bench[] = [
  compare(`quern build of ${TABLES} small tables ÷ the same statements by quern exec`, 'exec', 9, 1.5, [
    command(path.join(tables, 'project'), 'build'),
    command(tables, 'exec', 'tables.sql'),
  ]),
  compare('quern ls of 1,000 blocks ÷ quern check', 'check', 9, 1.3, [
    command(path.join(blocks, 'project'), 'ls'),
    command(path.join(blocks, 'project'), 'check'),
  ]),
  compare('quern plan --offline of 1,000 blocks ÷ quern check', 'check', 9, 1.3, [
    command(path.join(blocks, 'project'), 'plan', '--offline'),
    command(path.join(blocks, 'project'), 'check'),
  ]),
  compare('ten checks of ten million rows ÷ the same queries by hand', 'exec', 7, 1.2, [
    command(path.join(checks, 'project'), 'test'),
    command(checks, 'exec', 'checks.sql'),
  ]),
];
