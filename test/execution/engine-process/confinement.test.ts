import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHomeFolders, createRunFolder, homeAt } from '../../../src/workspace/home/home.ts';
import { planConfinement } from '../../../src/workspace/runs/engine-files.ts';
import { hasLandlock } from '../../support/landlock.ts';
import { makeFolder } from '../../support/quern.ts';
import { errorOf, makeProcessHost } from '../hosts.ts';

/** A confined engine process on a home, which runs SQL without the gate; connections open `databases`. */
function makeConfined(databases: readonly string[] = [], folder = makeFolder()) {
  const home = homeAt(path.join(folder, '.quern'));
  createHomeFolders(home);
  for (const name of ['catalog.db', 'queries.db', 'providers.db', 'config.toml'])
    writeFileSync(path.join(home.folder, name), 'x');
  const results = createRunFolder(home);
  writeFileSync(path.join(results, 'result'), 'x');
  const log: string[] = [];
  const listFiles = () => databases.map((file) => ({ file, isDatabase: true }));
  const confinement = planConfinement(home, createRunFolder(home), { listFiles }, (line) => log.push(line));
  const host = makeProcessHost({ confinement, cwd: home.files });
  const fails = async (sql: string) => errorOf((await host.run(sql)).outcome).message;
  return { ...host, confinement, home, results, reports: log, fails };
}

describe.skipIf(!hasLandlock)('a confined engine process', () => {
  it('cannot read the catalog, the key, the settings, and the results of others', async () => {
    const { home, results, fails, log, reports } = makeConfined();
    for (const file of [home.catalog, home.queries, home.providers, path.join(results, 'result')]) {
      expect(existsSync(file)).toBe(true);
      expect(await fails(`from read_text('${file}')`)).toContain(
        `Cannot open file "${file}": Permission denied`,
      );
    }
    for (const name of ['secret.key', 'config.toml']) {
      expect(await fails(`from read_text('${path.join(home.folder, name)}')`)).toContain('Permission denied');
    }
    expect([log, reports]).toEqual([[], []]);
  });

  it('cannot read files of its user elsewhere, and not the memory and variables of the server', async () => {
    const { fails } = makeConfined();
    const file = path.join(makeFolder(), 'private');
    writeFileSync(file, 'x');
    for (const name of [file, `/proc/${process.pid}/environ`, `/proc/${process.pid}/mem`]) {
      expect(await fails(`from read_text('${name}')`)).toContain(
        `Cannot open file "${name}": Permission denied`,
      );
    }
  });

  it('cannot change or create files outside its folders', async () => {
    const { home, fails } = makeConfined();
    for (const name of ['catalog.db', 'new.csv', 'files/new.csv', 'ui/new.csv']) {
      const file = path.join(home.folder, name);
      expect(await fails(`copy (select 1) to '${file}' (format csv)`)).toContain('Permission denied');
    }
  });

  it('reads the folder for files, and writes databases, staged and published files', async () => {
    const { home, run } = makeConfined();
    writeFileSync(path.join(home.files, 'a.csv'), 'a\n1\n');
    expect((await run("from 'a.csv'")).output).toBe('a\n1\n');
    for (const folder of [home.staging, home.publish]) {
      const { outcome } = await run(`copy (select 1) to '${folder}/a.csv' (format csv)`);
      expect(outcome.status).toBe('done');
    }
    expect((await run('create table t as select 1 as x', { file: home.duckdb })).outcome.status).toBe('done');
    expect((await run('from t', { file: home.duckdb })).output).toBe('x\n1\n');
  });

  it('opens the databases of connections, and of a new connection when it is started again', async () => {
    const [first, second] = [0, 1].map(() => path.join(makeFolder(), 'a.duckdb'));
    const databases = [first!];
    const { run, host, confinement } = makeConfined(databases);
    expect((await run('create table t (x int)', { file: first! })).outcome.status).toBe('done');
    const files = [{ file: second!, isDatabase: true }];
    expect(confinement.needsRestart(files)).toBe(false);
    databases.push(second!);
    expect(confinement.needsRestart(files)).toBe(true);
    expect(errorOf((await run('from t', { file: second! })).outcome).message).toContain('Permission denied');
    await host.release();
    expect((await run('create table t (x int)', { file: second! })).outcome.status).toBe('done');
    expect(confinement.needsRestart(files)).toBe(false);
  });

  it('is not confined if the folder of a database contains the home, and the log says so once', async () => {
    const folder = makeFolder();
    const { run, home, reports, host } = makeConfined([path.join(folder, 'a.duckdb')], folder);
    for (let time = 0; time < 2; time += 1) {
      expect((await run(`from read_text('${home.catalog}')`)).outcome.status).toBe('done');
      await host.release();
    }
    expect(reports).toEqual([
      `the engine process can open all files of its user: \`${folder}\`, which it needs, contains \`${home.folder}\`: move the database or the home`,
    ]);
  });

  it('opens the file of a certificate, and not the home in the same folder', async () => {
    const folder = makeFolder();
    mkdirSync(path.join(folder, 'own'));
    writeFileSync(path.join(folder, 'ca.pem'), 'x');
    const home = homeAt(path.join(folder, '.quern'));
    createHomeFolders(home);
    writeFileSync(home.catalog, 'x');
    const listFiles = () => [{ file: path.join(folder, 'ca.pem'), isDatabase: false }];
    const confinement = planConfinement(home, createRunFolder(home), { listFiles }, () => {});
    const { run } = makeProcessHost({ confinement });
    expect((await run(`select size from read_text('${folder}/ca.pem')`)).output).toBe('size\n1\n');
    expect(errorOf((await run(`from read_text('${home.catalog}')`)).outcome).message).toContain(
      'Permission denied',
    );
  });
});
