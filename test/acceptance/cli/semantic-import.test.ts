import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, quern } from '../../support/quern.ts';

const shop = path.resolve(import.meta.dirname, '../../../fixtures/semantic/import');
const CUBE = `cubes:
- name: orders
  sql_table: orders
  title: "Bestellungen\\u001b[31m\\nneu"
  measures:
  - { name: revenue, type: sum, sql: amount }
  - { name: "old\\u001b[31m", type: running_total, sql: amount }
`;

const read = (cwd: string, name: string) => readFileSync(path.join(cwd, name), 'utf8');

describe('quern semantic import', () => {
  it('writes a model that check accepts, and reports losses on standard error', async () => {
    const cwd = makeFolder();
    const printed = await quern(['semantic', 'import', '--from', 'dbt', path.join(shop, 'dbt')], { cwd });
    expect(printed.exitCode).toBe(0);
    expect(printed.stderr).toContain('metrics.yml:53:5: dropped: the metric northern_revenue: it needs');
    expect(printed.stderr).toMatch(/\n\d+ dropped, \d+ approximated\n$/);
    const written = await quern(
      ['semantic', 'import', '--from', 'dbt', path.join(shop, 'dbt'), '--out', 'm.yaml'],
      { cwd },
    );
    expect([written.exitCode, written.stdout]).toEqual([0, '']);
    expect(read(cwd, 'm.yaml')).toBe(printed.stdout);
    const checked = await quern(['semantic', 'check', 'm.yaml'], { cwd });
    expect([checked.exitCode, checked.stderr]).toEqual([0, '1 file: 0 errors, 0 warnings\n']);
  });

  it('writes a folder with a file for each layer, which is one model', async () => {
    const cwd = makeFolder();
    const models = ['a/b', 'A-B'].map(
      (name) => `- { name: ${name}, datasets: [{ name: "x ${name}", source: x }] }\n`,
    );
    writeFileSync(path.join(cwd, 'ossie.yaml'), `semantic_model:\n${models.join('')}`);
    const { exitCode, stderr } = await quern(
      [
        'semantic',
        'import',
        'ossie.yaml',
        '--from',
        'ossie',
        '--out',
        'new/models/',
        '--platform',
        'postgresql',
      ],
      { cwd },
    );
    expect([exitCode, stderr]).toEqual([0, '2 files written; 0 dropped, 0 approximated\n']);
    expect(readdirSync(path.join(cwd, 'new/models')).sort()).toEqual(['A-B-2.yaml', 'a-b.yaml']);
    expect(read(cwd, 'new/models/a-b.yaml')).toContain('platform: postgresql');
    const checked = await quern(['semantic', 'check', 'new/models'], { cwd });
    expect(checked.stderr).toContain('2 files: 0 errors');
  });

  it('reads the files of a dbt project, except those that dbt has created or installed', async () => {
    const cwd = makeFolder();
    const write = (name: string, text: string) => {
      mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
      writeFileSync(path.join(cwd, name), text);
    };
    const toModel = (name: string) => `semantic_models: [{ name: ${name}, model: "ref('${name}')" }]\n`;
    write('models/orders.yml', toModel('orders'));
    for (const folder of ['target', 'dbt_packages/other', 'models/node_modules'])
      write(`${folder}/models.yml`, toModel('other'));
    write('target/manifest.json', `{ "nodes": "${'x'.repeat(3 * 1024 ** 2)}" }`);
    const project = await quern(['semantic', 'import', '--from', 'dbt', '.'], { cwd });
    expect(project.exitCode).toBe(0);
    expect(project.stdout).toContain('name: orders');
    expect(project.stdout).not.toContain('other');
    const named = await quern(['semantic', 'import', '--from', 'dbt', 'target/models.yml'], { cwd });
    expect(named.stdout).toContain('name: other');
  });

  it('reports data models of Cube in JavaScript', async () => {
    const cwd = makeFolder();
    mkdirSync(path.join(cwd, 'model'));
    writeFileSync(path.join(cwd, 'cube.js'), 'module.exports = {};\n');
    writeFileSync(path.join(cwd, 'model/cubes.yml'), 'cubes: [{ name: a, sql_table: a }]\n');
    writeFileSync(path.join(cwd, 'model/users.js'), 'cube(`users`, { sql_table: `users` });\n');
    const { exitCode, stderr } = await quern(['semantic', 'import', '--from', 'cube', '.'], { cwd });
    expect([exitCode, stderr]).toEqual([
      0,
      'model/users.js:1:1: dropped: the file: a data model in JavaScript, which only Cube can run\n1 dropped, 0 approximated\n',
    ]);
  });

  it('writes nothing with --strict if something is lost, and prints it as JSON', async () => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, 'cube.yaml'), CUBE);
    const strict = ['semantic', 'import', '--from', 'cube', 'cube.yaml', '--strict'];
    const refused = await quern([...strict, '--out', 'm.yaml', '--json'], { cwd });
    expect(refused.exitCode).toBe(1);
    expect(readdirSync(cwd)).toEqual(['cube.yaml']);
    const { losses, text } = JSON.parse(refused.stdout);
    expect(text).toBeUndefined();
    expect(losses).toEqual([
      { kind: 'dropped', message: expect.any(String), file: 'cube.yaml', line: 7, column: 5 },
    ]);
    const lenient = await quern(['semantic', 'import', '--from', 'cube', 'cube.yaml', '--json'], { cwd });
    expect(lenient.exitCode).toBe(0);
    expect(JSON.parse(lenient.stdout).text).toContain('name: revenue');
    const plain = await quern(strict, { cwd });
    expect([plain.exitCode, plain.stdout]).toEqual([1, '']);
    expect(plain.stderr).not.toContain('\u001b');
  });

  it.each([
    [['--from', 'lookml', 'x.yaml'], 2, '--from must be one of ossie, dbt, cube, not lookml'],
    [['x.yaml'], 2, '--from is required: ossie, dbt, cube'],
    [['--from', 'cube', 'x.yaml', '--platform', 'access'], 2, '--platform must be one of duckdb, '],
    [['--from', 'cube', 'nothing.yaml'], 1, 'cannot read nothing.yaml: there is no such file or folder'],
    [['--from', 'cube', 'x.yaml'], 3, 'x.yaml:1:1: error: no Cube model found: it must have `cubes`'],
    [['--from', 'cube', 'bad.yaml'], 3, 'bad.yaml:1:4: error: there is no anchor `&b` before this alias'],
    [
      ['--from', 'ossie', path.join(shop, 'ossie'), '--out', 'no/such/file.yaml'],
      2,
      'cannot write no/such/file.yaml',
    ],
  ])('refuses %j', async (args, code, message) => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, 'x.yaml'), 'models: []\n');
    writeFileSync(path.join(cwd, 'bad.yaml'), 'a: *b\n');
    const { exitCode, stdout, stderr } = await quern(['semantic', 'import', ...args], { cwd });
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toContain(message);
  });
});

describe('quern semantic export', () => {
  it('writes a document that is imported as the same model', async () => {
    const cwd = makeFolder();
    mkdirSync(path.join(cwd, 'out'));
    const exported = await quern(
      ['semantic', 'export', path.join(shop, 'shop.yaml'), '--to', 'ossie', '--out', 'out'],
      { cwd },
    );
    expect([exported.exitCode, exported.stdout]).toEqual([0, '']);
    expect(exported.stderr).toContain(
      'dropped: orders.paid_aov: its filter cannot be written in its expression',
    );
    expect(readdirSync(path.join(cwd, 'out'))).toEqual(['ossie.yaml']);
    const back = await quern(
      ['semantic', 'import', '--from', 'ossie', 'out', '--out', 'm.yaml', '--strict'],
      { cwd },
    );
    expect([back.exitCode, back.stderr]).toEqual([0, '1 file written; 0 dropped, 0 approximated\n']);
    const [before, after] = await Promise.all(
      [path.join(shop, 'shop.yaml'), 'm.yaml'].map((file) => quern(['semantic', 'metadata', file], { cwd })),
    );
    expect(after!.stdout).toBe(before!.stdout);
  });

  it('refuses other formats, and models with errors', async () => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, 'bad.yaml'), 'version: "1.0"\nlayers: 7\n');
    const other = await quern(['semantic', 'export', 'bad.yaml', '--to', 'lookml'], { cwd });
    expect([other.exitCode, other.stderr]).toEqual([2, 'error: --to must be ossie, not lookml\n']);
    const bad = await quern(['semantic', 'export', './bad.yaml'], { cwd });
    expect([bad.exitCode, bad.stdout]).toEqual([3, '']);
    const strict = await quern(['semantic', 'export', path.join(shop, 'shop.yaml'), '--strict'], { cwd });
    expect([strict.exitCode, strict.stdout]).toEqual([1, '']);
  });
});
