import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { LATEST_VERSION } from '../../../src/store/inspect-catalog.ts';
import { openInstance } from '../../../src/workspace/instance/instance.ts';
import { checkHome } from '../../../src/workspace/setup/check-home.ts';
import { makeFolder } from '../../support/quern.ts';
import { backUp, restore } from './backing-up.ts';
import {
  AWKWARD_NAMES,
  dumpCatalog,
  makePlainHome,
  surveyDatabase,
  withWorkspace,
} from './home-with-everything.ts';
import { bless, editManifest, makeBackup, makeOlder, tamper } from './tampering.ts';

/** Expects all rows to be equal, except the counter of revisions, which a restore increases. */
function expectSameCatalog(one: string, other: string): void {
  const [{ catalog_revisions: _one, ...rows }, { catalog_revisions: _other, ...others }] = [
    dumpCatalog(one),
    dumpCatalog(other),
  ];
  expect(rows).toEqual(others);
}

function listModes(folder: string): number[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.map((entry) => statSync(path.join(entry.parentPath, entry.name)).mode & 0o777);
}

function isSignedIn(home: string, token: string): boolean {
  const instance = openInstance({ home });
  try {
    return instance.accounts.tokens.verify(token, { address: null, requestId: null }) !== null;
  } finally {
    instance.close();
  }
}

describe('a restored home', () => {
  it('is equal to the one that was backed up', async () => {
    const { folder, home, archive, token } = await makeBackup({ withKey: true });
    const copy = path.join(folder, 'new', 'copy');
    const report = await restore(archive, copy);
    expect(report).toMatchObject({ users: 2, connections: 2, databases: 1, key: true, moved_to: null });
    expectSameCatalog(copy, home);
    expect(await surveyDatabase(copy)).toBe(await surveyDatabase(home));
    for (const name of AWKWARD_NAMES) {
      expect(readFileSync(path.join(copy, 'files', name), 'utf8')).toBe(name.repeat(100));
    }
    expect(readdirSync(path.join(copy, 'files', 'empty'))).toEqual([]);
    const readConfig = (folder: string) => readFileSync(path.join(folder, 'config.toml'), 'utf8');
    expect(readConfig(copy)).toBe(readConfig(home));
    expect(listModes(copy).filter((mode) => mode !== 0o600 && mode !== 0o700)).toEqual(
      [0o644, 0o644].slice(2),
    );
    expect(isSignedIn(copy, token)).toBe(true);
    await withWorkspace(copy, ({ catalog, principal }) => {
      const { body } = catalog.get(principal, '@Shared/Zoé/a');
      expect(body).toMatchObject({ data: { content: 'SELECT 2 -- 🦆' } });
    });
    const findings = await checkHome(copy, {}, new AbortController().signal);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings).toContainEqual({ name: 'secrets', ok: true, seen: '1, which the master key opens' });
    expect(readdirSync(folder).filter((name) => name.startsWith('.quern-'))).toEqual([]);
  });

  it('has no sessions, and keeps its tokens only on request', async () => {
    const { folder, home } = await makeBackup();
    const archive = path.join(folder, 'with-session.tar');
    const visitor = { address: null, requestId: null };
    await withWorkspace(home, ({ accounts, principal }) =>
      accounts.users.resetPassword(principal, 'admin', { password: 'correct horse' }),
    );
    const instance = openInstance({ home });
    const { session } = await instance.accounts.signIn.signIn(
      { login: 'admin', password: 'correct horse' },
      visitor,
    );
    await instance.close();
    await backUp(home, archive);
    const look = async (endTokens: boolean) => {
      const copy = path.join(folder, String(endTokens));
      const counts: number[] = [];
      const report = await restore(archive, copy, {
        endTokens: async (count: number) => {
          counts.push(count);
          return endTokens;
        },
      });
      const { sessions_ended, tokens_ended, tokens_kept } = report;
      const restored = openInstance({ home: copy });
      const isSignedIn = restored.accounts.sessions.verify(session.cookieValue, visitor) !== null;
      await restored.close();
      const audit = await withWorkspace(copy, ({ accounts, principal }) =>
        accounts.audit.list(principal, { limit: 2 }),
      );
      const objects = audit.map(({ action, object }) => `${action} ${object}`);
      return { counts, ended: [sessions_ended, tokens_ended, tokens_kept], isSignedIn, objects };
    };
    const isSignedIn = false;
    const ofSessions = 'session.end all, by a restore';
    expect(await look(true)).toEqual({
      counts: [1],
      ended: [1, 1, 0],
      isSignedIn,
      objects: ['token.delete all 1, by a restore', ofSessions],
    });
    expect(await look(false)).toEqual({
      counts: [1],
      ended: [1, 0, 1],
      isSignedIn,
      objects: [ofSessions, expect.any(String)],
    });
  });

  it('has no key when the backup does not contain it, and reports this', async () => {
    const { folder, home, archive } = await makeBackup();
    const copy = path.join(folder, 'copy');
    expect(await restore(archive, copy)).toMatchObject({ key: false });
    expect(existsSync(path.join(copy, 'secret.key'))).toBe(false);
    const masterKey = readFileSync(path.join(home, 'secret.key'), 'utf8').trim();
    expect(await restore(archive, path.join(folder, 'other'), { masterKey })).toMatchObject({ key: true });
    const wrong = Buffer.alloc(32).toString('base64');
    expect(await restore(archive, path.join(folder, 'third'), { masterKey: wrong })).toMatchObject({
      key: false,
    });
  });

  it('replaces another home only with the option, and moves that home aside unchanged', async () => {
    const { folder, home, archive } = await makeBackup();
    await expect(restore(archive, home)).rejects.toMatchObject({ status: 409 });
    writeFileSync(path.join(home, 'files', 'later'), 'later');
    const { moved_to, key } = await restore(archive, home, { replace: true });
    expect(readFileSync(path.join(moved_to!, 'files', 'later'), 'utf8')).toBe('later');
    expect(existsSync(path.join(home, 'files', 'later'))).toBe(false);
    // The key existed already, and matches.
    expect(key).toBe(true);
    expectSameCatalog(home, moved_to!);
    mkdirSync(path.join(folder, 'empty'));
    await restore(archive, path.join(folder, 'empty'));
    expectSameCatalog(path.join(folder, 'empty'), home);
  });

  it('stays unchanged when it is in use', async () => {
    const { home, archive } = await makeBackup();
    const script = `
      import Sqlite from '${import.meta.resolve('better-sqlite3')}';
      const database = new Sqlite('${path.join(home, 'catalog.db')}');
      database.prepare('SELECT 1 FROM users').get();
      console.log('open');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(child.stdout, 'data');
      const before = dumpCatalog(home);
      await expect(restore(archive, home, { replace: true })).rejects.toMatchObject({ code: 'locked' });
      expect(dumpCatalog(home)).toEqual(before);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await restore(archive, home, { replace: true });
  });

  it('can be restored from an archive that tar has created, compressed or not', async () => {
    const { folder, home, archive } = await makeBackup();
    const out = path.join(folder, 'out');
    mkdirSync(out);
    execFileSync('tar', ['xf', archive, '-C', out]);
    for (const [name, ...flags] of [
      ['gnu.tar', '--format=gnu'],
      ['posix.tar', '--format=posix'],
      ['gz.tgz', '-z'],
    ]) {
      const made = path.join(folder, name!);
      execFileSync('tar', ['cf', made, ...flags, '.'], { cwd: out });
      const copy = path.join(folder, `copy-${name}`);
      await restore(made, copy);
      expectSameCatalog(copy, home);
      expect(readdirSync(path.join(copy, 'files')).length).toBe(AWKWARD_NAMES.length + 1);
    }
  });

  it('of an older version has the latest schema', async () => {
    const world = await makeBackup();
    const copy = path.join(world.folder, 'copy');
    await restore(tamper(world, makeOlder), copy);
    const database = new Sqlite(path.join(copy, 'catalog.db'), { readonly: true });
    expect(database.pragma('user_version', { simple: true })).toBe(LATEST_VERSION);
    expect(database.prepare('SELECT count(*) AS n FROM users').get()).toEqual({ n: 2 });
    database.close();
  });
});

const CHANGES: readonly [string, (out: string) => void, string][] = [
  [
    'a changed file',
    (out) => appendFileSync(path.join(out, 'config.toml'), ' '),
    'a file does not match its manifest: "config.toml"',
  ],
  [
    'a missing file',
    (out) => rmSync(path.join(out, 'publish/nothing.csv')),
    'a file that its manifest lists is missing: "publish/nothing.csv"',
  ],
  [
    'an additional file',
    (out) => writeFileSync(path.join(out, 'files/more'), ''),
    'it has a file that its manifest does not list: "files/more"',
  ],
  ['a missing manifest', (out) => rmSync(path.join(out, 'manifest.json')), 'its end is missing'],
  [
    'a manifest that is not JSON',
    (out) => truncateSync(path.join(out, 'manifest.json'), 20),
    'its manifest.json is damaged: it is not JSON',
  ],
  [
    'a manifest that is null',
    (out) => writeFileSync(path.join(out, 'manifest.json'), 'null'),
    'its manifest.json is damaged: it has no format',
  ],
  [
    'invalid files in the manifest',
    (out) => editManifest(out, (manifest) => Object.assign(manifest, { files: [null] })),
    'its manifest.json is damaged: a field is missing or wrong',
  ],
  [
    'a later format',
    (out) => editManifest(out, (manifest) => Object.assign(manifest, { format: 2 })),
    'its format is 2, and this version of Quern supports up to 1',
  ],
  [
    'a later schema',
    (out) => editManifest(out, (manifest) => Object.assign(manifest, { schema_version: 999 })),
    'its catalog has schema version 999',
  ],
  [
    'a later schema with a forged manifest',
    (out) => {
      const database = new Sqlite(path.join(out, 'catalog.db'));
      database.pragma('user_version = 999');
      database.close();
      bless(out, 'catalog.db');
    },
    'its catalog has schema version 999',
  ],
  [
    'a damaged catalog',
    (out) => {
      const bytes = readFileSync(path.join(out, 'catalog.db'));
      bytes.fill(0xff, 4096 * 3, 4096 * 8);
      writeFileSync(path.join(out, 'catalog.db'), bytes);
      bless(out, 'catalog.db');
    },
    'its catalog is damaged',
  ],
  [
    'a catalog that is not a database',
    (out) => {
      writeFileSync(path.join(out, 'catalog.db'), 'x'.repeat(5000));
      bless(out, 'catalog.db');
    },
    'its catalog is damaged',
  ],
  [
    'a file that is not part of a home',
    (out) => {
      writeFileSync(path.join(out, 'serve.sock'), 'x');
      bless(out, 'serve.sock');
    },
    'it has a file whose path is not allowed: "serve.sock"',
  ],
  [
    'a link',
    (out) => symlinkSync('/etc/passwd', path.join(out, 'files/link')),
    'it has an entry that is neither a file nor a folder',
  ],
  [
    'a link instead of a folder',
    (out) => {
      rmSync(path.join(out, 'publish'), { recursive: true });
      symlinkSync('/tmp', path.join(out, 'publish'));
    },
    'it has an entry that is neither a file nor a folder',
  ],
];

describe('an archive', () => {
  it('is refused when anything in it is wrong, and then nothing is changed', async () => {
    const world = await makeBackup();
    const copy = path.join(world.folder, 'copy');
    for (const [name, change, message] of CHANGES) {
      const refusal = expect(restore(tamper(world, change), copy), name).rejects;
      await refusal.toMatchObject({ status: 422, detail: expect.stringContaining(message) });
      expect(existsSync(copy), name).toBe(false);
    }
    expect(readdirSync(world.folder).filter((name) => name.startsWith('.quern-'))).toEqual([]);
  });

  it.each(['../out', '/tmp/quern-out', 'files/../../out', 'files/./x', 'files//x'])(
    'is refused with the path %s',
    async (bad) => {
      const folder = makeFolder();
      writeFileSync(path.join(folder, 'x'), 'x');
      const made = path.join(folder, 'bad.tar');
      execFileSync('tar', ['cPf', made, `--transform=s,^x$,${bad},`, 'x'], { cwd: folder });
      const copy = path.join(folder, 'inner', 'copy');
      await expect(restore(made, copy)).rejects.toMatchObject({
        status: 422,
        detail: expect.stringContaining('a file whose path is not allowed'),
      });
      expect(readdirSync(path.join(folder, 'inner'))).toEqual([]);
      expect(existsSync(path.join(folder, 'out'))).toBe(false);
      expect(existsSync('/tmp/quern-out')).toBe(false);
    },
  );

  it('is refused when it is truncated or damaged, compressed or not', async () => {
    const { folder, home, archive } = await makeBackup();
    const compressed = path.join(folder, 'b.tgz');
    await backUp(home, compressed);
    const copy = path.join(folder, 'copy');
    const cut = path.join(folder, 'cut');
    for (const whole of [archive, compressed]) {
      for (const part of [0.01, 0.3, 0.9, 0.99]) {
        cpSync(whole, cut);
        truncateSync(cut, Math.floor(statSync(whole).size * part));
        await expect(restore(cut, copy)).rejects.toMatchObject({ status: 422 });
      }
      const bytes = readFileSync(whole);
      bytes[Math.floor(bytes.length / 2)]! ^= 1;
      writeFileSync(cut, bytes);
      await expect(restore(cut, copy)).rejects.toMatchObject({ status: 422 });
    }
    expect(existsSync(copy)).toBe(false);
  });

  it('is refused when it has a duplicate file', async () => {
    const world = await makeBackup();
    const out = path.join(world.folder, 'out');
    mkdirSync(out);
    execFileSync('tar', ['xf', world.archive, '-C', out]);
    execFileSync('tar', ['rf', world.archive, 'config.toml'], { cwd: out });
    await expect(restore(world.archive, path.join(world.folder, 'copy'))).rejects.toMatchObject({
      detail: expect.stringContaining('it has a duplicate file: "config.toml"'),
    });
  });

  it('is refused when it has another format', async () => {
    const folder = makeFolder();
    const file = path.join(folder, 'x');
    for (const [text, message] of [
      ['', 'it is not a tar file'],
      ['hello', 'it is not a tar file'],
    ] as const) {
      writeFileSync(file, text);
      await expect(restore(file, path.join(folder, 'copy'))).rejects.toMatchObject({
        detail: expect.stringContaining(message),
      });
    }
    execFileSync('tar', ['cf', 'y.tar', 'x'], { cwd: folder });
    await expect(restore(path.join(folder, 'y.tar'), path.join(folder, 'copy'))).rejects.toMatchObject({
      detail: expect.stringContaining('it is not a Quern backup'),
    });
    await expect(restore(path.join(folder, 'none'), path.join(folder, 'copy'))).rejects.toMatchObject({
      code: 'unwritable',
    });
    expect(readdirSync(folder).sort()).toEqual(['x', 'y.tar']);
  });

  it('replaces no home when it is refused', async () => {
    const world = await makeBackup();
    const before = dumpCatalog(world.home);
    truncateSync(world.archive, 5000);
    await expect(restore(world.archive, world.home, { replace: true })).rejects.toMatchObject({
      status: 422,
    });
    expect(dumpCatalog(world.home)).toEqual(before);
    expect(readdirSync(world.folder).sort()).toEqual(['b.tar', 'home']);
    renameSync(world.home, path.join(world.folder, 'elsewhere'));
    await makePlainHome(world.home);
  });
});
