import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readCommand } from '../support/processes.ts';
import { makeFolder } from '../support/quern.ts';
import { hasTerminal } from '../support/type-on-terminal.ts';
import { waitUntil } from '../support/waiting.ts';
import { makeTerminalEnvironment, openTerminal, type TerminalShell } from './terminal.ts';

/** A time in which a command of two programs starts both. */
const LIMIT_MS = 1_000;

/** The command lines of all processes. */
function listCommands(): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readCommand(Number(name)));
}

function open(limitMs?: number): TerminalShell {
  const home = makeFolder();
  const terminal = openTerminal(home, makeTerminalEnvironment(home), limitMs);
  onTestFinished(() => terminal.end());
  return terminal;
}

describe.skipIf(!hasTerminal)('a shell for the commands of a page', () => {
  it('keeps the folder and the variables of a command for the next ones', async () => {
    const terminal = open();
    expect(await terminal.run('mkdir sub; cd sub; export DAY=Monday')).toBe('');
    expect(terminal.cwd).toMatch(/\/sub$/);
    expect(await terminal.run('echo "$DAY in $PWD"')).toBe(`Monday in ${terminal.cwd}\n`);
    expect(await terminal.run('cat << END\n$DAY\nEND')).toBe('Monday\n');
  });

  it('gives each command a terminal of 100 columns, on which nothing is typed', async () => {
    const terminal = open();
    expect(await terminal.run("tput cols; test -t 0 -a -t 1; printf 'exit code %s' $?")).toBe(
      '100\nexit code 0',
    );
    expect(await terminal.run('cat')).toBe('');
    expect(await terminal.run('cat; echo next')).toBe('next\n');
  });

  it('runs further commands after one that fails or that no shell can parse', async () => {
    const terminal = open();
    expect(await terminal.run('if then fi')).toContain('syntax error');
    expect(await terminal.run('false')).toBe('');
    expect(await terminal.run('echo next')).toBe('next\n');
  });

  it('reports a command that ends it, with the output of the command', async () => {
    const terminal = open();
    const ran = terminal.run('echo before; exit 3');
    await expect(ran).rejects.toThrow('`echo before; exit 3` did not run to its end');
    await expect(ran).rejects.toHaveProperty('cause.message', expect.stringContaining('before\n'));
    await expect(terminal.run('echo after')).rejects.toThrow('`echo after` did not run to its end');
  });

  it('kills a command that exceeds its time, and everything that it has started', async () => {
    const terminal = open(LIMIT_MS);
    const follow = `tail -f ${path.join(terminal.cwd, 'loop.sh')}`;
    const command = `${follow} & ${follow}`;
    await expect(terminal.run(command)).rejects.toThrow(`\`${command}\` did not run to its end`);
    await waitUntil(() => !listCommands().includes(follow));
  });
});
