import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0;

/** Runs lines of a shell after others have prepared the folder; returns the output of each line. */
function runIn(cwd: string, prepare: readonly string[], lines: readonly string[]): readonly string[] {
  const script = [
    'set -e',
    `quern() { "${process.execPath}" "${bin}" "$@"; }`,
    ...prepare,
    'set +e',
    ...lines.map((line) => `{ ${line}; echo "exit $?"; } 2>&1; printf '\\1'`),
  ].join('\n');
  const { stdout, stderr } = spawnSync('unshare', ['-rm', 'bash', '-c', script], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, HOME: cwd, QUERN_HOME: '', NO_COLOR: '1', TMPDIR: tmpdir() },
  });
  const parts = stdout.split('\u0001').slice(0, -1);
  if (parts.length !== lines.length) throw new Error(`${stdout}\n${stderr}`);
  return parts;
}

const READING: readonly (readonly [line: string, shown: string])[] = [
  ['quern sql "SELECT count(*) AS n FROM a" --format csv', 'n\n2\nexit 0\n'],
  ['quern exec a.sql --format csv', 'n\n3\nexit 0\n'],
  ['quern exec @Shared/a --format csv', 'n\n4\nexit 0\n'],
  ['quern catalog ls @Shared', 'a\nexit 0\n'],
  ['quern compile a.sql --sql', 'SELECT 3 AS n'],
  ['quern check a.sql', '0 errors'],
  ['quern docs --search transaction', 'exit 0\n'],
  ['quern connection ls', 'duckdb'],
  [
    `printf '%s\r' "SELECT 40 + 2 AS n;" .quit | script -qec "'${process.execPath}' '${bin}' repl --format csv" /dev/null`,
    '42',
  ],
];

const lines = READING.map(([line]) => line);

async function makeFilledHome(): Promise<string> {
  const cwd = await makeHome();
  writeFiles(cwd, { 'a.sql': 'SELECT 3 AS n', 'b.sql': 'SELECT 4 AS n' });
  for (const args of [
    ['sql', 'CREATE TABLE a AS SELECT range AS i FROM range(2)'],
    ['catalog', 'put', 'b.sql', '@Shared/a'],
  ]) {
    const { exitCode, stderr } = await quern(args, { cwd });
    if (exitCode !== 0) throw new Error(String(stderr));
  }
  return cwd;
}

const listCopies = () => readdirSync(tmpdir()).filter((name) => /^quern-(?:read|run|empty)-/.test(name));

describe.skipIf(!canMount)('a home in a folder that is read-only', () => {
  const READ_ONLY = ['mount --bind . .', 'mount -o remount,bind,ro "$PWD"', 'cd "$PWD"'];

  it('can be read', async () => {
    const cwd = await makeFilledHome();
    const before = listCopies();
    const shown = runIn(cwd, READ_ONLY, lines);
    for (const [at, [, text]] of READING.entries()) expect(shown[at]).toContain(text);
    expect(listCopies()).toEqual(before);
  });

  it('refuses writes, which say that it is read-only', async () => {
    const cwd = await makeFilledHome();
    const shown = runIn(cwd, READ_ONLY, [
      'quern sql "INSERT INTO a VALUES (1)"',
      'quern sql "CREATE TABLE b AS SELECT 1 AS i"',
      'quern catalog mkdir @Shared/b',
      'quern catalog rm --yes @Shared/a',
    ]);
    for (const text of shown) expect(text).toMatch(/home \S+\.quern is read-only/);
    for (const text of shown) expect(text).not.toContain('exit 0');
  });

  it('has an empty database if none was created', async () => {
    const cwd = await makeHome();
    expect(existsSync(path.join(cwd, '.quern/db/main.duckdb'))).toBe(false);
    const [answer, refused] = runIn(cwd, READ_ONLY, [
      'quern sql "SELECT 42 AS n" --format csv',
      'quern sql "CREATE TABLE b AS SELECT 1 AS i"',
    ]);
    expect(answer).toBe('n\n42\nexit 0\n');
    expect(refused).toContain('is read-only');
  });

  it('is an error without room for a copy of its catalog', async () => {
    const cwd = await makeHome();
    const memory = ['mount --bind /dev/shm /dev/shm', 'mount -o remount,bind,ro /dev/shm'];
    const [refused] = runIn(cwd, [...memory, ...READ_ONLY], ['TMPDIR=$PWD quern catalog ls']);
    expect(refused).toMatch(
      /error: the home \S+ cannot be written, and neither \S+ nor \/dev\/shm has room for a copy/,
    );
  });
});

describe.skipIf(!canMount)('a home on a full disk', () => {
  const FULL = [
    'mkdir disk',
    'mount -t tmpfs -o size=12m tmpfs disk',
    'cp -a .quern a.sql disk',
    'cd disk',
    'cat /dev/zero > filled 2> /dev/null || true',
  ];

  it('can be read, and refuses writes, which say that the disk is full', async () => {
    const cwd = await makeFilledHome();
    const shown = runIn(cwd, FULL, [
      ...lines,
      'quern sql "CREATE TABLE b AS SELECT range AS i FROM range(100000)"',
      'quern catalog mkdir @Shared/b',
    ]);
    for (const [at, [, text]] of READING.entries()) expect(shown[at]).toContain(text);
    for (const text of shown.slice(-2)) expect(text).toMatch(/disk .*is full/i);
  });
});
