import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { makeFolder } from '../../support/quern.ts';
import { backUp } from './backing-up.ts';
import { fillHome } from './home-with-everything.ts';

/** A home with some of everything, and its backup. */
export interface World {
  readonly folder: string;
  readonly home: string;
  readonly archive: string;
  readonly token: string;
}

/** Creates a home and its backup in a new folder. */
export async function makeBackup(options: object = {}): Promise<World> {
  const folder = makeFolder();
  const home = path.join(folder, 'home');
  const archive = path.join(folder, 'b.tar');
  const token = await fillHome(home);
  await backUp(home, archive, options);
  return { folder, home, archive, token };
}

interface Manifest {
  format: number;
  schema_version: number;
  files: { path: string; size: number; sha256: string }[];
}

/** Unpacks a backup, changes it with `change`, and packs it again. */
export function tamper({ folder, archive }: World, change: (out: string) => void): string {
  const out = path.join(folder, 'tampered');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  execFileSync('tar', ['xf', archive, '-C', out]);
  change(out);
  const made = path.join(folder, 'tampered.tar');
  rmSync(made, { force: true });
  execFileSync('tar', ['cf', made, ...readdirSync(out)], { cwd: out });
  return made;
}

/** Changes the manifest of an unpacked backup. */
export function editManifest(out: string, edit: (manifest: Manifest) => void): void {
  const file = path.join(out, 'manifest.json');
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  edit(manifest);
  writeFileSync(file, JSON.stringify(manifest));
}

/** Updates the size and hash of a file in the manifest. */
export function bless(out: string, name: string): void {
  const bytes = readFileSync(path.join(out, name));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  editManifest(out, ({ files }) => {
    files.splice(0, files.length, ...files.filter((file) => file.path !== name));
    files.push({ path: name, size: bytes.length, sha256 });
  });
}

/** The tables of versions after 6; tables with foreign keys come first. */
const LATER_TABLES = [
  'catalog_deleted',
  'invitations',
  'published_files',
  'metadata_refreshes',
  'catalog_content_parts',
  'catalog_long_contents',
  'catalog_former_contents',
  'catalog_history',
  'provider_certificates',
  'identity_providers',
  'linked_identities',
  'sign_in_requests',
  'used_assertions',
  'refused_sign_ins',
  'session_origins',
  'test_sign_ins',
  'catalog_revisions',
];
const LATER_SESSION_COLUMNS = ['method', 'user_agent', 'address'];
const LATER_USER_COLUMNS = ['display_name_key', 'waiting'];

/** Removes the counter of revisions from an unpacked backup, as the last version before it wrote backups. */
export function makeOlder(out: string): void {
  const database = new Sqlite(path.join(out, 'catalog.db'));
  for (const table of LATER_TABLES) database.exec(`DROP TABLE ${table}`);
  for (const column of LATER_SESSION_COLUMNS) database.exec(`ALTER TABLE sessions DROP COLUMN ${column}`);
  database.exec('DROP INDEX users_waiting');
  for (const column of LATER_USER_COLUMNS) database.exec(`ALTER TABLE users DROP COLUMN ${column}`);
  database.exec(`ALTER TABLE tokens ADD COLUMN read_only INTEGER NOT NULL DEFAULT 0 CHECK (read_only IN (0, 1));
    ALTER TABLE tokens DROP COLUMN scope`);
  database.pragma('user_version = 6');
  database.close();
  bless(out, 'catalog.db');
  editManifest(out, (manifest) => Object.assign(manifest, { schema_version: 6 }));
}
