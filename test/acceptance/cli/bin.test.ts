import { describe, expect, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';

const ID = /[0-9a-f-]{36}/;

async function makeWorld() {
  const cwd = await makeHome();
  const run = async (line: string, input?: string) => {
    const { stdout, stderr, exitCode } = await quern(
      line.split(' '),
      input === undefined ? { cwd } : { cwd, input },
    );
    return { stdout: String(stdout), stderr: String(stderr), exitCode };
  };
  const put = (path: string, content: string) => run(`catalog put - ${path}`, content);
  await run('catalog mkdir @Shared/sales');
  await put('@Shared/sales/report', 'SELECT 1');
  const list = async (line = 'catalog deleted') => JSON.parse((await run(`${line} --json`)).stdout).data;
  return { run, put, list };
}

describe('the bin at the command line', () => {
  it('lists deleted items, and restores them by id or path', async () => {
    const { run, list } = await makeWorld();
    expect(await run('catalog deleted')).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    await run('catalog rm -r @Shared/sales --yes');
    const [item] = await list();
    expect(item).toMatchObject({ path: '@Shared/sales', items: 2, bytes: 8, deleted_by: 'admin' });
    expect((await run('catalog deleted SALES')).stdout).toMatch(
      new RegExp(`^${item.id}  \\S+Z  admin  2  8 B  \\S+Z  @Shared/sales$`, 'm'),
    );
    expect(await list('catalog deleted other')).toEqual([]);
    expect(await run(`catalog undelete ${item.id}`)).toMatchObject({
      stderr: expect.stringMatching(/^stored @Shared\/sales \(revision \d+\)\n$/),
      exitCode: 0,
    });
    expect((await run('catalog get @Shared/sales/report')).stdout).toBe('SELECT 1');
    await run('catalog rm @Shared/sales/report --yes');
    await run('catalog mkdir @Shared/other');
    const into = await run('catalog undelete /@Shared/sales/report @Shared/other --json');
    expect(JSON.parse(into.stdout)).toMatchObject({ path: '@Shared/other/report' });
    await run('catalog rm @Shared/other/report --yes');
    await run('catalog undelete @Shared/other/report @Shared/other/renamed');
    expect((await run('catalog ls @Shared/other')).stdout).toContain('renamed');
    expect(await list()).toEqual([]);
  });

  it('says what is missing, taken, or not to be restored', async () => {
    const { run, put } = await makeWorld();
    await run('catalog rm @Shared/sales/report --yes');
    await put('@Shared/sales/report', 'SELECT 2');
    expect(await run('catalog undelete none')).toMatchObject({
      stderr: 'error: Deleted item not found: none\n',
      exitCode: 1,
    });
    expect(await run('catalog undelete @Shared/none')).toMatchObject({
      stderr: 'error: Deleted item not found: @Shared/none\n',
    });
    expect(await run('catalog undelete @Shared/sales/report')).toMatchObject({
      stderr: 'error: Name already exists.\n',
      exitCode: 1,
    });
    expect(await run('catalog undelete @Shared/sales/report @Shared/none/x')).toMatchObject({
      stderr: 'error: Path not found: @Shared/none\n',
    });
    expect(await run('catalog undelete')).toMatchObject({ exitCode: 2 });
  });

  it('keeps nothing that is deleted with --forever, or already was deleted', async () => {
    const { run, list } = await makeWorld();
    await run('catalog rm @Shared/sales/report --yes');
    expect(await run('catalog rm @Shared/sales --forever --yes')).toMatchObject({
      stderr: 'deleted @Shared/sales\n',
    });
    const [item] = await list();
    expect(await run(`catalog rm ${item.id} --forever`)).toMatchObject({ exitCode: 2 });
    expect(await list()).toHaveLength(1);
    expect(await run(`catalog rm ${item.id} --forever --yes`)).toMatchObject({
      stderr: 'deleted @Shared/sales/report from the bin\n',
      exitCode: 0,
    });
    expect(await run(`catalog rm ${item.id} --forever --yes`)).toMatchObject({
      stderr: `error: Deleted item not found: ${item.id}\n`,
      exitCode: 1,
    });
    expect(await list()).toEqual([]);
  });

  it('is not used when its days are 0, which also empties it', async () => {
    const { run, put, list } = await makeWorld();
    await run('catalog rm @Shared/sales/report --yes');
    await put('@Shared/x', 'SELECT 1');
    await run('config set catalog.bin_days 0');
    await run('catalog rm @Shared/x --yes');
    expect(await list()).toEqual([]);
  });

  it('is in a backup, and its items can be restored in the home that was restored from it', async () => {
    const { run, list } = await makeWorld();
    const before = JSON.parse((await run('catalog ls @Shared/sales --json')).stdout).data;
    await run('catalog rm -r @Shared/sales --yes');
    await run('admin backup b.tar');
    await run('admin restore b.tar --force');
    expect(await list()).toMatchObject([{ path: '@Shared/sales', items: 2 }]);
    const { stderr } = await run('catalog undelete @Shared/sales');
    // Revisions continue far above those of the backup, so that no earlier ETag matches.
    expect(Number(/revision (\d+)/.exec(stderr)![1])).toBeGreaterThan(1_000_000);
    expect(JSON.parse((await run('catalog ls @Shared/sales --json')).stdout).data).toEqual(before);
    expect((await run('admin check')).exitCode).toBe(0);
  });

  it('loses what was in the home of a deleted user, and keeps the other items of that user', async () => {
    const { run, put, list } = await makeWorld();
    await run('user create ada');
    await run('catalog mkdir @Personal/mine --as ada');
    await run('catalog rm @Personal/mine --yes --as ada');
    await run('catalog rm @Shared/sales/report --yes --as ada');
    await put('@Shared/x', 'SELECT 1');
    expect(await list('catalog deleted --as ada')).toHaveLength(2);
    await run('user rm ada --yes');
    expect(await list()).toMatchObject([{ path: '@Shared/sales/report', deleted_by: 'ada' }]);
    expect((await run('admin check')).exitCode).toBe(0);
  });

  it('is named by `catalog purge` when it has the content, or the asset', async () => {
    const { run, put } = await makeWorld();
    await put('@Shared/copy', 'SELECT secret');
    await run('catalog rm @Shared/copy --yes');
    await put('@Shared/sales/report', 'SELECT secret');
    const log = JSON.parse((await run('catalog log @Shared/sales/report --json')).stdout).data;
    await put('@Shared/sales/report', 'SELECT 3');
    const purged = await run(`catalog purge @Shared/sales/report --revision ${log[0].revision} --yes`);
    expect(purged.exitCode).toBe(0);
    const id = ID.exec(purged.stderr)![0];
    expect(purged.stderr).toBe(
      `warning: the bin has this content, too, in @Shared/copy: delete it with \`quern catalog rm ${id} --forever\`\n` +
        `deleted revision ${log[0].revision} of @Shared/sales/report\n`,
    );
    expect(await run('catalog purge @Shared/copy --revision 1 --yes')).toMatchObject({
      stderr: `error: Path not found: @Shared/copy\nhint: the bin has it: delete it with \`quern catalog rm ${id} --forever\`, or restore it with \`quern catalog undelete ${id}\`\n`,
      exitCode: 1,
    });
    await run(`catalog rm ${id} --forever --yes`);
    expect((await run('catalog purge @Shared/copy --revision 1 --yes')).stderr).not.toContain('bin');
  });
});
