import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { checkHome } from '../../../src/workspace/setup/check-home.ts';
import { fingerprint } from '../../store/temporary-home.ts';
import { makeFolder } from '../../support/quern.ts';
import { fillHome, withWorkspace } from '../backup/home-with-everything.ts';

async function makeHome(): Promise<string> {
  const home = path.join(makeFolder(), 'home');
  await fillHome(home);
  return home;
}

function check(home: string, masterKey?: string) {
  return checkHome(home, { QUERN_MASTER_KEY: masterKey }, new AbortController().signal);
}

/** The failed checks, as `name: seen`. */
async function listProblems(home: string, masterKey?: string): Promise<string[]> {
  const findings = await check(home, masterKey);
  return findings.filter(({ ok }) => !ok).map(({ name, seen }) => `${name}: ${seen}`);
}

/** Changes the catalog directly in its file. */
function change(home: string, sql: string): void {
  const database = new Sqlite(path.join(home, 'catalog.db'));
  database.pragma('foreign_keys = OFF');
  database.exec(sql);
  database.close();
}

describe('the check of a home', () => {
  it('finds no problem in a valid home, and changes nothing', async () => {
    const home = await makeHome();
    const before = fingerprint(home);
    const findings = await check(home);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings.map(({ name }) => name)).toEqual([
      'home',
      'disk',
      'catalog',
      'secrets',
      'db/main.duckdb',
      'publish',
      'backups',
    ]);
    expect(findings.at(-2)?.seen).toBe('1 files, and 1 unfinished');
    expect(findings.at(-1)?.seen).toBe('0 backups, 0 bytes');
    expect(fingerprint(home)).toEqual(before);
  });

  it('names those who may ask a database through a semantic connection alone', async () => {
    const home = await makeHome();
    const seen = async () =>
      (await check(home))
        .filter(({ name }) => name === 'connections')
        .map(({ ok, seen: text }) => [ok, text]);
    await withWorkspace(home, ({ connections, accounts, principal }) => {
      const options = { model: '/nowhere/model.yaml', connection: 'duckdb' };
      connections.create(principal, { name: 'sales', kind: 'semantic', options }, '/');
      accounts.groups.create(principal, 'analysts');
      accounts.grants.set(principal, {
        subject: 'group:analysts',
        level: 'READ',
        target: 'connection:sales',
      });
    });
    expect(await seen()).toEqual([]);
    await withWorkspace(home, ({ accounts, principal }) =>
      accounts.grants.delete(principal, 'everyone', 'connection:duckdb'),
    );
    const text =
      'group:analysts may ask duckdb through the semantic connection sales, without a grant on duckdb';
    expect(await seen()).toEqual([[true, text]]);
  });

  it('says that a change was interrupted, which the next command undoes', async () => {
    const home = await makeHome();
    const file = path.join(home, 'catalog.db');
    const program = fileURLToPath(new URL('../../store/interrupted-process.ts', import.meta.url));
    expect(spawnSync(process.execPath, [program, file]).signal).toBe('SIGKILL');
    expect(existsSync(`${file}-journal`)).toBe(true);
    expect(await listProblems(home)).toEqual([
      `catalog: a change of ${file} was interrupted, for example a migration by a kill: run another command, such as \`quern user ls\`, which undoes it`,
    ]);
    openDatabase(home, { clock: () => new Date() }).close();
    expect(await listProblems(home)).toEqual([]);
  });

  it.each([
    [
      "DELETE FROM catalog_items WHERE name = 'a'",
      [
        'catalog: a row of catalog_history refers to nothing in catalog_items',
        'catalog: a row of catalog_contents refers to nothing in catalog_items',
        'catalog: there is content of an item that is missing: …',
      ],
    ],
    ['DELETE FROM catalog_contents', ['catalog: an item has no content: …']],
    [
      "UPDATE catalog_items SET parent_id = id WHERE name = 'Zoé'",
      ['catalog: an item hangs below no root: …', 'catalog: an item hangs below no root: …'],
    ],
    [
      "DELETE FROM catalog_items WHERE id = (SELECT id FROM users WHERE user_name = 'ada')",
      ['catalog: the user ada has no home in the catalog'],
    ],
    ["UPDATE catalog_items SET parent_id = NULL WHERE name = 'Zoé'", ['catalog: a root has no owner: …']],
    [
      'UPDATE catalog_revisions SET last = 3',
      ['catalog: the counter of revisions is behind revision 6 of an item'],
    ],
    ['DELETE FROM catalog_revisions', ['catalog: the counter of revisions is behind revision 6 of an item']],
    [
      "UPDATE connection_secrets SET ciphertext = 'AAAA'",
      [expect.stringMatching(/^secrets: .*pg.* damaged/)],
    ],
    [
      "UPDATE connection_secrets SET key_id = 'x'",
      [expect.stringMatching(/^secrets: .*a different master key/)],
    ],
    ['PRAGMA user_version = 999', [expect.stringMatching(/^catalog: its schema has version 999/)]],
    ['PRAGMA application_id = 1', ['catalog: it is not a catalog of Quern']],
  ])('finds the damage of %s', async (sql, problems) => {
    const home = await makeHome();
    change(home, sql);
    const found = await listProblems(home);
    expect(found.map((text) => text.replace(/[\da-f]{8}-[\da-f-]{27}/, '…'))).toEqual(problems);
  });

  it('finds a missing namespace', async () => {
    const home = await makeHome();
    change(home, "DELETE FROM catalog_items WHERE name = '@Project Hub'");
    expect(await listProblems(home)).toContainEqual(
      expect.stringMatching(/^catalog: a namespace is missing: /),
    );
  });

  it('finds damaged files', async () => {
    const home = await makeHome();
    const catalog = path.join(home, 'catalog.db');
    const bytes = readFileSync(catalog);
    bytes.fill(0xff, 4096 * 3, 4096 * 8);
    writeFileSync(catalog, bytes);
    writeFileSync(path.join(home, 'db', 'main.duckdb'), 'no database');
    writeFileSync(path.join(home, 'queries.db'), 'no database, which is no harm');
    const problems = await listProblems(home);
    expect(problems[0]).toMatch(/^catalog: /);
    expect(problems.at(-1)).toMatch(/^db\/main\.duckdb: .*is not a DuckDB database/);
  });

  it('reports files that other users can read, and secrets that the key cannot decrypt', async () => {
    const home = await makeHome();
    chmodSync(path.join(home, 'secret.key'), 0o640);
    chmodSync(path.join(home, 'queries.db'), 0o644);
    chmodSync(home, 0o755);
    expect(await listProblems(home)).toEqual([
      `home: ${home} is accessible to other users: run \`chmod 700 ${home}\``,
      expect.stringMatching(/^home: .*secret\.key is accessible to other users: run `chmod 600/),
      expect.stringMatching(/^home: .*queries\.db is accessible to other users: run `chmod 600/),
      expect.stringMatching(/^secrets: .*secret\.key is accessible to other users/),
    ]);
    chmodSync(home, 0o700);
    chmodSync(path.join(home, 'queries.db'), 0o600);
    const right = readFileSync(path.join(home, 'secret.key'), 'utf8').trim();
    rmSync(path.join(home, 'secret.key'));
    expect(await listProblems(home)).toEqual([expect.stringMatching(/^secrets: .*secret\.key is missing/)]);
    expect(await listProblems(home, right)).toEqual([]);
  });

  it('reports options of connections that cannot be stored any more', async () => {
    const home = await makeHome();
    change(home, `UPDATE connections SET options = '{"host":"https://db","user":"u"}' WHERE name = 'pg'`);
    expect(await listProblems(home)).toEqual([
      'connections: the connection pg: option host must be a name or an address, without `https://` or another scheme',
    ]);
  });

  it('reports a missing home', async () => {
    const folder = makeFolder();
    expect(await listProblems(folder)).toEqual([
      `home: no home in ${folder}: run \`quern --home ${folder} init --empty\``,
    ]);
  });
});
