import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../../support/quern.ts';
import { errorOf, makeProcessHost } from '../hosts.ts';

describe('the folder of the engine process', () => {
  it('is the base of relative paths in SQL, and only of these', async () => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, 'x.csv'), 'a\n7\n');
    const { run } = makeProcessHost({ cwd });
    expect((await run("from 'x.csv'")).output).toBe('a\n7\n');
    const elsewhere = makeProcessHost();
    expect(errorOf((await elsewhere.run("from 'x.csv'")).outcome).code).toBe('sql');
  });

  it('may be missing for a while: the log reports it, and executions work again when it exists', async () => {
    const cwd = path.join(makeFolder(), 'files');
    const { run, log, registry, host } = makeProcessHost({ cwd });
    for (let time = 0; time < 2; time += 1) {
      expect(errorOf((await run('select 1')).outcome)).toMatchObject({
        code: 'lost',
        message: "the engine could not be started; see the server's log",
      });
    }
    expect(log[0]).toMatch(/^the engine process cannot be started: spawn .* ENOENT/);
    expect([registry.list(), host.pid]).toEqual([[], null]);
    mkdirSync(cwd);
    expect((await run('select 1 as x')).output).toBe('x\n1\n');
    rmSync(cwd, { recursive: true });
    expect((await run('select 2 as x')).output).toBe('x\n2\n');
  });

  it('does not change the paths of environment variables such as the folder for temporary files', async () => {
    const temporary = makeFolder();
    const before = process.env.TMPDIR;
    process.env.TMPDIR = path.relative(process.cwd(), temporary);
    onTestFinished(() => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    });
    const { run } = makeProcessHost({ cwd: makeFolder(), folder: path.join(temporary, 'a'.repeat(100)) });
    expect((await run('from range(100000)')).output).toHaveLength(588_896);
  });
});
