import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';

const SCRIPT = '@Shared/script';
const TIME = '\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z';

/** A home with a script of these contents. */
async function makeScript(...contents: readonly string[]) {
  const cwd = await makeHome();
  const run = (line: string, input = '') => quern(line.split(' '), { cwd, input });
  for (const content of contents) await run(`catalog put - ${SCRIPT}`, content);
  const { stdout } = await run(`catalog log ${SCRIPT} --json`);
  const { data } = JSON.parse(String(stdout)) as { data: { revision: number }[] };
  return { cwd, run, revisions: data.map(({ revision }) => revision).reverse() };
}

describe('the history of a script', () => {
  it('is listed, shown, restored and purged', async () => {
    const { cwd, run, revisions } = await makeScript('SELECT 1', 'SELECT 22', 'sesame');
    const [first, second, third] = revisions;
    const log = await run(`catalog log ${SCRIPT}`);
    const line = (ordinal: number, revision: unknown, action: string, bytes: number) =>
      `${ordinal}  ${revision}  ${TIME}  admin  ${action} +command-line  ${bytes} B\n`;
    expect(log.stdout).toMatch(
      new RegExp(
        `^${line(3, third, 'updated', 6)}${line(2, second, 'updated', 9)}${line(1, first, 'created', 8)}$`,
      ),
    );
    expect((await run(`catalog log ${SCRIPT} --limit 1`)).stdout).toMatch(/^3 {2}.*\n$/);
    expect((await run(`catalog show ${SCRIPT} --revision ${first}`)).stdout).toBe('SELECT 1');
    const record = await run(`catalog show ${SCRIPT} --revision ${second} --json`);
    expect(JSON.parse(String(record.stdout))).toMatchObject({ ordinal: 2, data: { content: 'SELECT 22' } });

    const stale = await run(`catalog restore ${SCRIPT} --revision ${first} --if-match ${second}`);
    expect(stale).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`at revision ${third}`) });
    const restored = await run(`catalog restore ${SCRIPT} --revision ${first} --if-match ${third} --json`);
    expect(JSON.parse(String(restored.stdout))).toMatchObject({
      path: SCRIPT,
      revision: third! + 1,
      data: { content: 'SELECT 1' },
    });
    expect((await run(`catalog get ${SCRIPT}`)).stdout).toBe('SELECT 1');

    const purged = await run(`catalog purge ${SCRIPT} --revision ${third} --yes`);
    expect(purged.stderr).toBe(`deleted revision ${third} of ${SCRIPT}\n`);
    const files = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(2);
    expect(
      files.filter(({ parentPath, name }) => readFileSync(path.join(parentPath, name)).includes('sesame')),
    ).toEqual([]);
    expect((await run(`catalog log ${SCRIPT}`)).stdout).toContain('updated, purged by admin');
    expect((await run('admin check')).exitCode).toBe(0);
  });

  it('is refused with what to do', async () => {
    const { run, revisions } = await makeScript('one', 'two');
    const [, second] = revisions;
    for (const command of ['show', 'restore', 'purge'])
      expect(await run(`catalog ${command} ${SCRIPT}`)).toMatchObject({
        exitCode: 2,
        stderr: `error: missing \`--revision NUMBER\`: \`quern catalog log ${SCRIPT}\` lists them\n`,
      });
    expect(await run(`catalog show ${SCRIPT} --revision 1`)).toMatchObject({
      exitCode: 1,
      stderr:
        'error: Revision not found: 1\nhint: `quern catalog log` lists the revisions that changed the content of an asset\n',
    });
    expect(await run(`catalog purge ${SCRIPT} --revision ${second} --yes`)).toMatchObject({
      exitCode: 1,
      stderr: `error: Revision is the current content: ${second}\nhint: change the content of the asset, then purge this revision\n`,
    });
    expect(await run(`catalog purge ${SCRIPT} --revision ${revisions[0]}`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('confirm with --yes'),
    });
    expect((await run('catalog log @Shared')).stderr).toContain('error: Path must be an asset');
    expect((await run('catalog log @Shared/scrpt')).stderr).toContain('did you mean `script`?');
    expect((await run(`catalog show ${SCRIPT} --revision ${revisions[0]}`)).stdout).toBe('one');
  });

  it('has as many former contents as the setting says, and survives a backup', async () => {
    const { cwd, run } = await makeScript('one', 'two');
    await run('config set catalog.history 1');
    await run(`catalog put - ${SCRIPT}`, 'three');
    const { stdout } = await run(`catalog log ${SCRIPT}`);
    expect(String(stdout).match(/^\d/gm)).toEqual(['3', '2']);
    await run('admin backup home.tar');
    await run('--home restored admin restore home.tar');
    const there = await quern(['catalog', 'log', SCRIPT, '--home', 'restored'], { cwd });
    expect(there.stdout).toBe(stdout);
    expect(await run('config set catalog.history 1001')).toMatchObject({
      exitCode: 2,
      stderr: 'error: history is 1001: it must be from 0 to 1000\n',
    });
  });
});
