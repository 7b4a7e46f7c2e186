import { describe, expect, it } from 'vitest';
import { createExecWorld } from './world.ts';

const QUOTED = expect.objectContaining({ severity: 'warning', code: 'parameter', line: 1, column: 9 });
const SURPLUS = {
  severity: 'warning',
  code: 'parameter',
  message: 'parameter `$dya` is not used, did you mean `day`?',
  suggestion: 'day',
};

describe('warnings over HTTP', () => {
  it('appear in the JSON of rows, of tests and of a compiled script, which otherwise has no such field', async () => {
    const { sql, script, exec, put } = await createExecWorld();
    const { body } = await sql("SELECT '$day' AS day", { params: { dya: 1 } });
    expect(body).toMatchObject({ result: { data: [['$day']] }, warnings: [SURPLUS, QUOTED] });
    expect((await sql("SELECT '$day' AS day", { params: { day: 1 } })).body).not.toHaveProperty('warnings');

    await put('@Shared/shop/days', "#+test sql Days() #+begin\nSELECT 1 WHERE '$day' = '' #+end");
    const tests = await script('@Shared/shop/days', { params: { dya: 1 } });
    expect(tests.body).toMatchObject({
      stats: { passed: 1 },
      warnings: [SURPLUS, { line: 2, column: 17, file: '@Shared/shop/days' }],
    });

    const files = [{ path: 'a.sql', content: "SELECT '$day'" }];
    const compiled = await exec('bundle', { what: 'compile', path: 'a.sql', files, params: { dya: 1 } });
    expect(compiled.body).toMatchObject({ data: [{ kind: 'statement' }], warnings: [SURPLUS, QUOTED] });
    const checked = await exec('bundle', { what: 'check', files, params: { dya: 1 } });
    expect(checked.body).toMatchObject({ data: [QUOTED], warnings: [SURPLUS] });
  });

  it('do not change CSV', async () => {
    const { sql } = await createExecWorld();
    const { text } = await sql("SELECT '$day' AS day", {}, { headers: { accept: 'text/csv' } });
    expect(text).toBe('day\n$day\n');
  });

  it('are stored with an answer that is fetched later', async () => {
    const { sql } = await createExecWorld();
    const { body } = await sql("SELECT '$day' AS day", {}, { headers: { prefer: 'respond-async, wait=20' } });
    expect(body).toMatchObject({ warnings: [QUOTED] });
  });
});
