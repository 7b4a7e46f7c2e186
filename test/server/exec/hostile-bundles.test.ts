import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createExecWorld, rowsOf } from './world.ts';

describe('a bundle that would keep the server busy', () => {
  it('is refused quickly for a manifest with too many keys, and others are answered', async () => {
    const { exec, sql } = await createExecWorld();
    const content = `${'a.'.repeat(100_000)}a = 1`;
    const files = [
      { path: 'project.toml', content },
      { path: 'a.sql', content: 'SELECT 1' },
    ];
    const { status, body } = await exec('bundle', { what: 'check', files });
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [{ message: 'too large: it has more than 65,536 characters' }] });
    expect(rowsOf(await sql('SELECT 42'))).toEqual([[42]]);
  });

  it('selects tests by patterns quickly, where a regular expression would need years', async () => {
    const { exec } = await createExecWorld();
    const name = `T${'a'.repeat(5_000)}`;
    const files = [{ path: 'a.sql', content: `#+test sql ${name}() #+begin SELECT 1 WHERE false #+end\n` }];
    const tests = (include: string) =>
      exec('bundle', { what: 'tests', files, include: [include], connection: { name: 'duckdb' } });
    const selector = `*T${'*a'.repeat(1_000)}`;
    expect((await tests(selector)).body).toMatchObject({ stats: { passed: 1 } });
    expectRefusal(await tests(`${selector}b`), 422, `no test matches \`${selector}b\``);
  });
});
