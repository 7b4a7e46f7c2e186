import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';

async function put(cwd: string, text: string, target: string, ...more: string[]) {
  return quern(['catalog', 'put', '-', target, ...more], { cwd, input: text });
}

async function readRevision(cwd: string, target: string): Promise<string> {
  const { stdout } = await quern(['catalog', 'get', target, '--json'], { cwd });
  return String((JSON.parse(String(stdout)) as { revision: number }).revision);
}

const printModified = (revision: number | string) =>
  `error: Entity has been modified. Refresh and retry with current ETag: "${revision}"\n` +
  `hint: the item is at revision ${revision}; fetch it, then pass --if-match ${revision}\n`;

describe('quern catalog', () => {
  it('stores, lists, prints and deletes a script', async () => {
    const cwd = await makeHome();
    expect((await quern(['catalog', 'ls'], { cwd })).stdout).toBe('@Personal/\n@Project Hub/\n@Shared/\n');
    expect((await quern(['catalog', 'mkdir', '@Shared/sales'], { cwd })).exitCode).toBe(0);
    expect((await put(cwd, 'select 1', '@Shared/sales/one')).stderr).toMatch(
      /^stored @Shared\/sales\/one \(revision \d+\)\n$/,
    );
    expect((await quern(['catalog', 'ls', '@Shared'], { cwd })).stdout).toBe('sales/\n');
    expect((await quern(['catalog', 'ls', '@Shared/sales'], { cwd })).stdout).toBe('one\n');
    expect((await quern(['catalog', 'get', '@Shared/sales/one'], { cwd })).stdout).toBe('select 1');
    expect((await quern(['catalog', 'rm', '@Shared/sales'], { cwd })).stderr).toBe(
      'error: Folder is not empty\nhint: use -r to delete its contents\n',
    );
    expect((await quern(['catalog', 'rm', '--yes', '-r', '@Shared/sales'], { cwd })).exitCode).toBe(0);
    expect((await quern(['catalog', 'ls', '@Shared'], { cwd })).stdout).toBe('');
  });

  it('deletes a folder with everything in it, or nothing', async () => {
    const cwd = await makeHome();
    await quern(['catalog', 'mkdir', '-p', '@Shared/sales/old'], { cwd });
    await put(cwd, 'select 1', '@Shared/sales/old/one');
    const revision = await readRevision(cwd, '@Shared/sales');
    const stale = await quern(['catalog', 'rm', '--yes', '-r', '@Shared/sales', '--if-match', '1'], { cwd });
    expect(stale).toMatchObject({
      exitCode: 1,
      stderr: printModified(revision),
    });
    expect((await quern(['catalog', 'ls', '@Shared/sales/old'], { cwd })).stdout).toBe('one\n');
    const fresh = await quern(['catalog', 'rm', '--yes', '-r', '@Shared/sales', '--if-match', revision], {
      cwd,
    });
    expect(fresh.exitCode).toBe(0);
    expect((await quern(['catalog', 'ls', '@Shared'], { cwd })).stdout).toBe('');
  });

  it('keeps the text byte for byte', async () => {
    const cwd = await makeHome();
    const text = "\r\n-- tab\t, NUL \0, emoji 🦆, é and e\u0301\nselect 'x';\n\n";
    await put(cwd, text, '@Personal/odd name; 100% #1?');
    expect((await quern(['catalog', 'get', '/@Personal/odd name; 100% #1?'], { cwd })).stdout).toBe(text);
  });

  it('refuses the second of two changes made from the same revision', async () => {
    const cwd = await makeHome();
    await put(cwd, 'select 1', '@Shared/report');
    const before = await readRevision(cwd, '@Shared/report');
    const first = await put(cwd, 'select 2', '@Shared/report', '--if-match', before);
    const second = await put(cwd, 'select 3', '@Shared/report', '--if-match', before);
    const after = await readRevision(cwd, '@Shared/report');
    expect(first).toMatchObject({ exitCode: 0, stderr: `stored @Shared/report (revision ${after})\n` });
    expect(second).toMatchObject({
      exitCode: 1,
      stderr: printModified(after),
    });
    expect((await quern(['catalog', 'get', '@Shared/report'], { cwd })).stdout).toBe('select 2');
  });

  it('refuses a change from the revision of a script that was deleted and created again', async () => {
    const cwd = await makeHome();
    await put(cwd, 'select 1', '@Shared/report');
    const before = await readRevision(cwd, '@Shared/report');
    await quern(['catalog', 'rm', '@Shared/report', '--yes'], { cwd });
    await put(cwd, 'select 2', '@Shared/report');
    const after = await readRevision(cwd, '@Shared/report');
    for (const stale of [before, '1']) {
      expect(await put(cwd, 'select 3', '@Shared/report', '--if-match', stale)).toMatchObject({
        exitCode: 1,
        stderr: printModified(after),
      });
    }
    expect((await quern(['catalog', 'get', '@Shared/report'], { cwd })).stdout).toBe('select 2');
  });

  it("puts a file into a folder under the file's name", async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'q.sql'), 'select 1');
    await quern(['catalog', 'put', 'q.sql', '@Shared'], { cwd });
    await quern(['catalog', 'put', 'q.sql', '@Shared/'], { cwd });
    const record = JSON.parse(
      String((await quern(['catalog', 'get', '@Shared/q.sql', '--json'], { cwd })).stdout),
    );
    expect(record).toMatchObject({
      path: '@Shared/q.sql',
      type: 'SQL_SCRIPT',
      revision: expect.any(Number),
      data: { content: 'select 1' },
    });
  });

  it('renames and moves', async () => {
    const cwd = await makeHome();
    await quern(['catalog', 'mkdir', '-p', '@Shared/a/b/c'], { cwd });
    await quern(['catalog', 'mkdir', '-p', '@Shared/a/b/c'], { cwd });
    await put(cwd, 'select 1', '@Shared/a/b/c/s');
    expect((await quern(['catalog', 'mv', '@Shared/a/b', '@Personal/moved'], { cwd })).exitCode).toBe(0);
    expect((await quern(['catalog', 'get', '@Personal/moved/c/s'], { cwd })).stdout).toBe('select 1');
    expect((await quern(['catalog', 'mv', '@Personal/moved/c/s', '@Shared/a'], { cwd })).exitCode).toBe(0);
    expect((await quern(['catalog', 'get', '@Shared/a/s'], { cwd })).stdout).toBe('select 1');
    const into = await quern(['catalog', 'mv', '@Shared/a', '@Shared/a'], { cwd });
    expect(into.exitCode).toBe(0);
  });

  it('lists as JSON in the shape of the interface', async () => {
    const cwd = await makeHome();
    await quern(['catalog', 'mkdir', '--project', '@Shared/p'], { cwd });
    const { stdout } = await quern(['catalog', 'ls', '@Shared', '--json'], { cwd });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(JSON.parse(String(stdout))).toEqual({
      data: [{ name: 'p', path: '@Shared/p', type: 'PROJECT', created_at: time, updated_at: time }],
    });
  });

  it.each([
    ['an unknown path', ['get', '@Shared/none'], 'Path not found: @Shared/none'],
    ['a path outside the namespaces', ['ls', 'Shared'], 'Path not found: Shared'],
    ['a folder instead of a script', ['get', '@Shared'], 'Path must be an asset'],
    ['an asset instead of a folder', ['ls', '@Shared/s'], 'Not a folder: @Shared/s'],
    ['a name in use', ['mkdir', '@Shared/s'], 'Name already exists.'],
    ['a long name', ['mkdir', `@Shared/${'x'.repeat(256)}`], 'Name exceeds maximum length of 255 characters'],
    ['a control character', ['mkdir', '@Shared/a\nb'], 'Name is not allowed'],
    ['a missing parent', ['mkdir', '@Shared/no/x'], 'Path not found: @Shared/no'],
    ["a namespace's root", ['rm', '@Shared'], 'Path not found: @Shared'],
    ['a new root', ['mkdir', '@Other'], 'Path not found: @Other'],
    ['a script outside the namespaces', ['put', '-', 'sales'], 'Path not found: sales'],
    ['a project in the place of a folder', ['mkdir', '-p', '--project', '@Shared/f'], 'Name already exists.'],
    [
      'an existing root',
      ['mkdir', '@Shared'],
      '@Shared already exists: name a folder below it, for example @Shared/new',
    ],
  ])('refuses %s', async (_, args, detail) => {
    const cwd = await makeHome();
    await put(cwd, 'select 1', '@Shared/s');
    await quern(['catalog', 'mkdir', '@Shared/f'], { cwd });
    const result = await quern(['catalog', ...args], { cwd });
    expect(result).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`error: ${detail}\n`),
      stdout: '',
    });
  });

  it('deletes nothing in a folder that has changed', async () => {
    const cwd = await makeHome();
    await quern(['catalog', 'mkdir', '-p', '@Shared/a/b'], { cwd });
    await put(cwd, 'select 1', '@Shared/a/b/s');
    const before = await readRevision(cwd, '@Shared/a');
    await quern(['catalog', 'mv', '@Shared/a', '@Shared/c'], { cwd });
    const revision = await readRevision(cwd, '@Shared/c');
    const stale = await quern(['catalog', 'rm', '--yes', '-r', '@Shared/c', '--if-match', before], { cwd });
    expect(stale).toMatchObject({
      exitCode: 1,
      stderr: printModified(revision),
    });
    expect((await quern(['catalog', 'get', '@Shared/c/b/s'], { cwd })).stdout).toBe('select 1');
    const fresh = await quern(['catalog', 'rm', '--yes', '-r', '@Shared/c', '--if-match', revision], { cwd });
    expect(fresh).toMatchObject({ exitCode: 0, stderr: 'deleted @Shared/c with 2 items in it\n' });
    expect((await quern(['catalog', 'ls', '@Shared'], { cwd })).stdout).toBe('');
  });

  it('refuses content over 15 MB and accepts 15 MB', async () => {
    const cwd = await makeHome();
    const most = 15_728_640;
    expect((await put(cwd, 'é'.repeat(most / 2), '@Shared/most')).exitCode).toBe(0);
    const over = await put(cwd, `${'é'.repeat(most / 2)}x`, '@Shared/over');
    expect(over).toMatchObject({ exitCode: 1, stderr: 'error: Content exceeds the 15 MB size limit\n' });
  });

  it('refuses a file that cannot be read or is not UTF-8', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'bad'), Buffer.from([0x61, 0xff]));
    expect((await quern(['catalog', 'put', 'none', '@Shared/x'], { cwd })).exitCode).toBe(1);
    expect((await quern(['catalog', 'put', 'bad', '@Shared/x'], { cwd })).stderr).toContain(
      'byte 2 is wrong',
    );
    expect((await quern(['catalog', 'ls', '@Shared'], { cwd })).stdout).toBe('');
  });

  it('refuses a file that is too large for any text', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'huge'), '');
    truncateSync(path.join(cwd, 'huge'), 600 * 1024 * 1024);
    expect(await quern(['catalog', 'put', 'huge', '@Shared/x'], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: 'error: huge has more than 536870888 bytes, the limit of text\n',
    });
  });
});
