import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasProc, readThreads } from '../../support/processes.ts';
import { makeFolder, makeHome, quernProcess } from '../../support/quern.ts';
import { waitUntil } from '../../support/waiting.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');

/** The processor time of a thread that works on a query. */
const QUERYING_MS = 200;

const STREAM = 'select count(*) from range(10000000000) a, range(10000000000) b where a.range + b.range = 7';

/** Waits until a command works on its query, which only threads besides its main one do for long. */
async function untilQuerying(pid: number): Promise<void> {
  await waitUntil(() =>
    readThreads(pid)
      .slice(1)
      .some((work) => work * 10 >= QUERYING_MS),
  );
}

describe.skipIf(!hasProc)('Ctrl-C', () => {
  it.each([
    ['a query that reacts to signals', STREAM],
    ['a query that does not react to signals', 'select len(range(1000000000))'],
  ])('stops %s, leaves nothing behind and ends by the signal', async (_, sql) => {
    const cwd = await makeHome();
    const child = quernProcess(['sql', sql, '--output', 'out.csv'], { cwd });
    await untilQuerying(child.pid!);
    child.kill('SIGINT');
    const { signal, stdout } = await child;
    expect(signal).toBe('SIGINT');
    expect(stdout).toBe('');
    expect(readdirSync(cwd)).toEqual(['.quern']);
    expect(readdirSync(path.join(cwd, '.quern', 'tmp'))).toEqual([]);
    expect((await quernProcess(['sql', 'select 1 as x'], { cwd })).stdout).toBe('x\n1\n');
  });

  it('gives the exit code 130 in a shell', async () => {
    const cwd = await makeHome();
    const command = `${process.execPath} ${bin} sql '${STREAM}' < /dev/null & echo $!; wait $!; echo "code $?"`;
    // With job control, the background job reacts to SIGINT, as one in the foreground does.
    const shell = spawn('bash', ['-c', `set -m; ${command}`], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    let printed = '';
    for await (const part of shell.stdout.setEncoding('utf8')) {
      printed += part;
      if (!/^\d+\n$/.test(printed)) continue;
      await untilQuerying(Number(printed));
      process.kill(Number(printed), 'SIGINT');
    }
    expect(printed).toMatch(/^\d+\ncode 130\n$/);
  });
});

describe('a time limit', () => {
  it.each([
    ['a query that reacts to signals', STREAM],
    ['a query that does not react to signals', 'select len(range(1000000000))'],
  ])('ends %s with exit code 5', async (_, sql) => {
    const cwd = await makeHome();
    const { exitCode, stderr } = await quernProcess(['sql', sql, '--timeout', '1'], { cwd });
    expect(stderr).toBe(
      'error: the execution ran past its time limit of 1 s, set by `--timeout`, and was stopped\n',
    );
    expect(exitCode).toBe(5);
  });

  it.each([
    ['sql', 'select 1'],
    ['test', '.'],
  ])('is at most a week for %s', async (...args) => {
    const cwd = await makeHome();
    const { exitCode, stderr } = await quernProcess([...args, '--timeout', '604801'], { cwd });
    expect(stderr).toMatch(/^error: --timeout 604801: at most 604800 seconds \(a week\)\n/);
    expect(exitCode).toBe(2);
    expect(await quernProcess(['sql', 'select 1 as a', '--timeout', '604800'], { cwd })).toMatchObject({
      stdout: 'a\n1\n',
    });
  });
});

describe('a broken pipe', () => {
  async function runShell(cwd: string, command: string): Promise<{ stdout: string; stderr: string }> {
    const shell = spawn('bash', ['-c', `${command}; echo "$\{PIPESTATUS[0]}"`], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const read = async (stream: NodeJS.ReadableStream) => {
      let text = '';
      for await (const part of stream) text += part;
      return text;
    };
    const [stdout, stderr] = await Promise.all([read(shell.stdout), read(shell.stderr)]);
    return { stdout, stderr };
  }

  it('ends quietly and stops the query', async () => {
    const cwd = await makeHome();
    const command = `${process.execPath} ${bin} sql 'from range(100000000000)' | head -n 2`;
    expect(await runShell(cwd, command)).toEqual({ stdout: 'range\n0\n0\n', stderr: '' });
  });

  it.each([
    ['help', '--help |', 0],
    ['the version', '--version |', 0],
    ['the errors of a call', 'nosuch 2>&1 |', 2],
  ])('ends quietly when the output is closed: %s', async (_, call, code) => {
    const command = `${process.execPath} ${bin} ${call} true`;
    expect(await runShell(makeFolder(), command)).toEqual({ stdout: `${code}\n`, stderr: '' });
  });
});
