import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, quern, writeFiles } from '../../support/quern.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const bin = path.join(root, 'bin/quern.js');
const hasTerminal = spawnSync('script', ['--version']).status === 0 && process.platform === 'linux';

const run = (...args: string[]) => quern(['docs', ...args], { cwd: makeFolder() });

/** The screen of a terminal of 80 columns and 24 lines, with the given pager. */
function onTerminal(args: string, env: Readonly<Record<string, string>>): string {
  const cwd = makeFolder();
  writeFiles(cwd, { 'pager.sh': '#!/bin/sh\necho PAGED; cat\n' });
  const { NO_COLOR: _, ...rest } = process.env;
  const command = `stty cols 80 rows 24 -onlcr; exec ${process.execPath} ${bin} docs ${args}`;
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...rest, HOME: cwd, TERM: 'xterm', PAGER: 'sh pager.sh', ...env },
  });
  return stdout.toString();
}

describe('quern docs', () => {
  it('lists every page without a home', async () => {
    const { stdout, exitCode } = await run();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^guides\/backups +Backups$/m);
    expect(stdout).toMatch(/^reference\/settings +Settings$/m);
    expect(stdout).not.toMatch(/^README|^adr/m);
  });

  it.each([['guides/backups'], ['backups'], ['docs/guides/backups.md'], ['Backups'], ['guides', 'backup']])(
    'shows a page by its name or by words: %s %s',
    async (...words) => {
      const { stdout, exitCode } = await run(...words);
      expect(exitCode).toBe(0);
      expect(stdout).toBe(readFileSync(path.join(root, 'docs/guides/backups.md'), 'utf8'));
    },
  );

  it('lists the pages of an ambiguous name, and suggests a similar name', async () => {
    const several = await run('trino');
    expect(several.exitCode).toBe(1);
    expect(several.stderr).toBe('error: `trino` names several pages: `guides/trino`, `reference/trino`\n');
    const mistyped = await run('setings');
    expect(mistyped.exitCode).toBe(1);
    expect(mistyped.stderr).toBe('error: there is no page `setings`\nhint: did you mean `settings`?\n');
    const unknown = await run('../../etc/passwd');
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stderr).toContain('`quern docs` lists all pages');
  });

  it('searches the sections of all pages', async () => {
    const { stdout, exitCode } = await run('--search', 'full refresh');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^[a-z]+\/\S+ {2}\S.*\n {4}.*full refresh/m);
  });

  it.each([
    [['--search', ''], 2, '`--search` needs a word'],
    [['--search', 'xyzzyplugh'], 1, 'no page contains `xyzzyplugh`'],
    [['--search', 'a'.repeat(201)], 2, 'at most 10 words and 200 characters'],
    [['backups', '--search', 'a'], 2, 'leave out the page'],
  ])('refuses %j', async (args, code, text) => {
    const { stderr, exitCode } = await run(...args);
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringContaining(text) });
  });

  it('completes the names of pages without a home', async () => {
    const { stdout } = await quern(['completion', 'candidates', 'quern docs guides/back'], {
      cwd: makeFolder(),
    });
    expect(stdout).toBe('guides/backups\n');
  });

  it('is named by the help of a topic, with a page that exists', async () => {
    const { TOPICS } = await import('../../../src/cli/table/topics.ts');
    for (const { name, page } of TOPICS) {
      const { stdout } = await quern(['help', name], { cwd: makeFolder() });
      expect(stdout).toMatch(new RegExp(`\nMore: quern docs ${page}\n$`));
      expect((await run(page)).exitCode).toBe(0);
    }
  });
});

describe.skipIf(!hasTerminal)('quern docs on a terminal', () => {
  it('shows a page in the pager, with headings, code and links', () => {
    const screen = onTerminal('backups', {});
    expect(screen).toContain('PAGED');
    expect(screen).toContain('# \u001b[1mBackups\u001b[22m');
    expect(screen).toContain('    \u001b[36mcatalog.db\u001b[39m');
    expect(screen).toContain('(guides/server-logs)');
    expect(screen).not.toContain('```');
  });

  it('prints a page without a pager and without colours', () => {
    const screen = onTerminal('backups --no-pager', { NO_COLOR: '1' });
    expect(screen).not.toContain('PAGED');
    expect(screen).toContain('# Backups\n');
    expect(screen).toContain('`--with-key`');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the screen must not have control sequences
    expect(screen.replace(/^[^#]*/, '')).not.toMatch(/\x1b/);
    expect(onTerminal('backups', { PAGER: '' })).not.toContain('PAGED');
  });
});
