import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { modelWith } from '../../support/models.ts';
import { makeHome } from '../../support/quern.ts';
import { serve } from '../../support/server.ts';
import { run } from './commands.ts';

const REFUSED = /COPY is not allowed on a server/;
const HINT = /add `--unrestricted`/;

const MODEL = modelWith(
  `    - name: orders
      table_name: orders
      dimensions:
      - { name: secret, data_type: TEXT, expr: current_setting('home_directory') }
      measures: [{ name: orders, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }]
`,
  { layer: 'shop', domain: 'sales' },
);

/** A home whose catalog has a script, a block and a test that write a file, and a model that reads a setting. */
async function makeCatalog() {
  const cwd = await makeHome();
  const file = path.join(cwd, 'written.csv');
  const copy = `COPY (SELECT 1 AS a) TO '${file}'`;
  const reading = `SELECT * FROM read_text('${path.join(cwd, 'model.yaml')}')`;
  const scripts = {
    'report.sql': `${copy};\nSELECT 2 AS done;\n`,
    'parts/blocks.sql': `#+src sql Reads()\n#+begin ${reading} #+end\n#+test sql Finds()\n#+begin ${reading} WHERE size < 0 #+end\n`,
    'model.yaml': MODEL,
  };
  await run(cwd, 'catalog', 'mkdir', '@Shared/parts');
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(path.join(cwd, path.basename(name)), text);
    const put = await run(cwd, 'catalog', 'put', path.basename(name), `@Shared/${name}`);
    expect(put.exitCode, put.stderr).toBe(0);
  }
  const set = [
    ['stored', '@Shared/model.yaml'],
    ['local', path.join(cwd, 'model.yaml')],
  ];
  for (const [name, model] of set) {
    const options = ['--kind', 'semantic', '--set', `model=${model}`, '--set', 'connection=duckdb'];
    await run(cwd, 'connection', 'create', String(name), ...options);
  }
  await run(cwd, 'sql', 'CREATE TABLE orders AS SELECT 1 AS id');
  return { cwd, file };
}

describe('a text of the catalog', () => {
  it('has the restrictions of a server with and without one', async () => {
    const { cwd, file } = await makeCatalog();
    const alone = await run(cwd, 'exec', '@Shared/report.sql');
    expect(alone).toMatchObject({ exitCode: 3, stdout: '' });
    expect(alone.stderr).toMatch(REFUSED);
    expect(alone.stderr).toMatch(HINT);
    const server = await serve(cwd);
    onTestFinished(() => server.kill());
    const served = await run(cwd, 'exec', '@Shared/report.sql');
    const [error] = alone.stderr.split('Texts of the catalog');
    expect(served.exitCode).toBe(3);
    expect(served.stderr).toContain(error);
    expect(served.stderr).not.toMatch(HINT);
    const unrestricted = await run(cwd, 'exec', '@Shared/report.sql', '--unrestricted');
    expect(unrestricted).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('stop it first') });
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ['a script', ['exec', '@Shared/report.sql']],
    ['a block', ['exec-block', '@Shared/parts', 'Reads']],
    ['Semantic SQL', ['sql', '-c', 'stored', 'SELECT secret, orders FROM orders']],
    ['a semantic query', ['semantic', 'query', '-c', 'stored', '--dimensions', 'orders.secret']],
  ])('is refused in %s, and runs with --unrestricted', async (_, command) => {
    const { cwd } = await makeCatalog();
    const refused = await run(cwd, ...command);
    expect(refused.exitCode, refused.stderr).toBe(3);
    expect(refused.stderr).toMatch(HINT);
    const done = await run(cwd, ...command, '--unrestricted');
    expect(done.exitCode, done.stderr).toBe(0);
  });

  it('fails as a test that it restricts, which passes with --unrestricted', async () => {
    const { cwd } = await makeCatalog();
    const refused = await run(cwd, 'test', '@Shared/parts');
    expect(refused).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('only reads files in its file folder'),
    });
    const done = await run(cwd, 'test', '@Shared/parts', '--unrestricted');
    expect(done.exitCode, done.stdout).toBe(0);
  });

  it.each([[[]], [['--connection', 'duckdb']]])(
    'is refused in the check of a model (%j)',
    async (options) => {
      const { cwd } = await makeCatalog();
      const refused = await run(cwd, 'semantic', 'check', 'stored', ...options);
      expect(refused.exitCode, refused.stderr).toBe(3);
      expect(refused.stderr).toMatch(HINT);
      const done = await run(cwd, 'semantic', 'check', 'stored', ...options, '--unrestricted');
      expect(done.exitCode, done.stderr).toBe(0);
      const local = await run(cwd, 'semantic', 'check', 'local', ...options);
      expect(local.exitCode, local.stderr).toBe(0);
    },
  );

  it('says where its files are if a relative path does not lead there', async () => {
    const { cwd } = await makeCatalog();
    const files = path.join(cwd, '.quern/files');
    writeFileSync(path.join(files, 'days.csv'), 'day\n1\n');
    writeFileSync(path.join(cwd, 'days.sql'), "SELECT * FROM read_csv('days.csv')");
    await run(cwd, 'catalog', 'put', 'days.sql', '@Shared/days.sql');
    const refused = await run(cwd, 'exec', '@Shared/days.sql');
    expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(files) });
    expect(await run(files, 'exec', '@Shared/days.sql')).toMatchObject({ exitCode: 0, stdout: 'day\n1\n' });
  });

  it('is restricted for another user, who cannot lift it', async () => {
    const { cwd } = await makeCatalog();
    await run(cwd, 'user', 'create', 'eve', '--role', 'ADMIN');
    const refused = await run(cwd, '--as', 'eve', 'exec', '@Shared/report.sql');
    expect(refused.stderr).toMatch(REFUSED);
    expect(refused.stderr).not.toMatch(HINT);
    const lifted = await run(cwd, '--as', 'eve', 'exec', '@Shared/report.sql', '--unrestricted');
    expect(lifted).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('owner of the home') });
  });

  it('does not restrict what comes from a file or the command line', async () => {
    const { cwd, file } = await makeCatalog();
    for (const option of [[], ['--unrestricted']]) {
      const script = await run(cwd, 'exec', 'report.sql', ...option);
      expect(script, script.stderr).toMatchObject({ exitCode: 0, stdout: 'done\n2\n' });
      expect(existsSync(file)).toBe(true);
      rmSync(file);
      const sql = await run(cwd, 'sql', `COPY (SELECT 1) TO '${file}'`, ...option);
      expect(sql.exitCode, sql.stderr).toBe(0);
      const model = await run(cwd, 'sql', '-c', 'local', 'SELECT secret FROM orders', ...option);
      expect(model.exitCode, model.stderr).toBe(0);
    }
  });
});
