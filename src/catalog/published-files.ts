import { lstatSync } from 'node:fs';
import path from 'node:path';
import { isAtLeast } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import type { CatalogContext } from './context.ts';
import { findVisibleById, isInBin } from './find-item.ts';
import { printPath } from './path.ts';

/** A file below the folder for published files, and the asset whose block writes it; null: no asset has the block. */
interface OwnedFile {
  readonly path: string;
  readonly asset: string | null;
}

/**
 * The owners of published files (docs/reference/publishing.md#owners). A new file has its inode before it gets its path;
 * a step for it is one transaction.
 */
export interface PublishedFiles {
  /** Why the principal may not replace the file at a path; null if the path is free, or the file may be replaced. */
  findRefusal(principal: Principal, file: OwnedFile): string | null;
  /** As `findRefusal`; without a refusal, also records the new owner. The new file gets its path next. */
  claim(principal: Principal, file: OwnedFile, inode: string): string | null;
  /** Records that the new file has its path, and forgets the owner of the old one. */
  keep(principal: Principal, file: OwnedFile, inode: string): void;
  /** Forgets the new owner: the old file has the path. */
  withdraw(file: OwnedFile, inode: string): void;
  /** The paths of the files that a user has published. */
  listPaths(userId: string): readonly string[];
  /** Records users as the owners of files without an owner, by path. */
  takeOver(owners: ReadonlyMap<string, string>): void;
  /** Forgets owners of files that did not get their path, or were replaced, when a process was killed. */
  settle(): void;
}

/** What a row says about a path. */
interface Row {
  readonly id: number;
  readonly path: string;
  readonly inode: string;
  readonly asset_id: string | null;
  readonly user_id: string | null;
}

const COLUMNS = 'id, path, inode, asset_id, user_id';
/** An asset or a user that was deleted meanwhile owns nothing. */
const INSERT = `
  INSERT OR REPLACE INTO published_files (path, inode, asset_id, user_id)
  VALUES (?, ?, (SELECT id FROM catalog_items WHERE id = ?), (SELECT id FROM users WHERE id = ?))
`;

/** The owners of the files in `folder`. */
export function createPublishedFiles(context: CatalogContext, folder: string): PublishedFiles {
  const { read, write } = context.database;
  const rows = createRows(context);
  const inodeAt = (name: string) => readInode(path.join(folder, name));
  const { findKey, findRow } = createFinder(rows, inodeAt);

  function findRefusal(principal: Principal, { path: name, asset }: OwnedFile): string | null {
    const inode = inodeAt(name);
    if (inode === null || principal.superUser) return null;
    const row = findRow(findKey(name, inode), inode);
    return row === undefined ? null : findRefusalOf(context, principal, { ...row, path: name }, asset);
  }

  /** Deletes the rows of a path that `isWanted` does not select. */
  function deleteOthers(key: string, isWanted: (row: Row) => boolean): void {
    for (const row of rows.list(key)) if (!isWanted(row)) rows.delete(row);
  }

  return {
    findRefusal: (principal, file) => read(() => findRefusal(principal, file)),
    claim: (principal, file, inode) =>
      write(() => {
        const refusal = findRefusal(principal, file);
        if (refusal !== null) return refusal;
        const replaced = inodeAt(file.path);
        const key = findKey(file.path, replaced);
        const owner = findRow(key, replaced);
        deleteOthers(key, (row) => row.id === owner?.id);
        // Without this row, the new one would be that of the old file until it is replaced.
        if (owner === undefined && replaced !== null) rows.insert(key, replaced, null, null);
        rows.insert(key, inode, file.asset, principal.userId);
        return null;
      }),
    keep: ({ userId }, file, inode) =>
      write(() => {
        const key = findKey(file.path, inode);
        deleteOthers(key, (row) => row.inode === inode);
        if (rows.list(key).length === 0) rows.insert(key, inode, file.asset, userId);
      }),
    withdraw: (file, inode) =>
      write(() => deleteOthers(findKey(file.path, inodeAt(file.path)), (row) => row.inode !== inode)),
    listPaths: (userId) => read(() => rows.listPaths(userId)),
    takeOver: (owners) =>
      write(() => {
        for (const [name, userId] of owners) {
          const inode = inodeAt(name);
          if (inode !== null && rows.list(name).length === 0) rows.insert(name, inode, null, userId);
        }
      }),
    settle: () =>
      write(() => {
        for (const name of rows.listAmbiguous()) {
          const owner = findRow(name, inodeAt(name));
          deleteOthers(name, (row) => row.id === owner?.id);
        }
      }),
  };
}

function createFinder(
  { list, listByInode }: Pick<ReturnType<typeof createRows>, 'list' | 'listByInode'>,
  inodeAt: (name: string) => string | null,
) {
  return {
    /** The path that the rows have for a file: a file system may ignore the case of names. */
    findKey: (name: string, inode: string | null): string => {
      if (inode === null || list(name).length > 0) return name;
      return listByInode(inode).find((row) => inodeAt(row.path) === inode)?.path ?? name;
    },
    /** The row of the file that is at a path now. Inodes of restored files are new, so one row is enough. */
    findRow: (name: string, inode: string | null): Row | undefined => {
      const rows = list(name);
      return rows.find((row) => row.inode === inode) ?? rows[0];
    },
  };
}

/**
 * Why a principal may not replace a file with this owner by that of an asset; null if it may. An asset in the bin owns
 * nothing.
 */
function findRefusalOf(
  context: CatalogContext,
  principal: Principal,
  { path: name, asset_id: id, user_id: user }: Row,
  asset: string | null,
): string | null {
  const owner = id === null || isInBin(context, id) ? null : id;
  if (user === principal.userId || (owner !== null && owner === asset)) return null;
  if (owner === null) return user === null ? null : printRefusal(name, null);
  const place = findVisibleById(context, principal, owner);
  if (place === null) return printRefusal(name, null);
  const mayEdit = isAtLeast(context.permissions.levelOf(principal, place.chain), 'EDIT');
  return mayEdit ? null : printRefusal(name, printPath(place.path));
}

function createRows({ database: { statement } }: CatalogContext) {
  const ofPath = statement<Row>(`SELECT ${COLUMNS} FROM published_files WHERE path = ? ORDER BY id`);
  const ofInode = statement<Row>(`SELECT ${COLUMNS} FROM published_files WHERE inode = ? ORDER BY id`);
  const ofUser = statement<{ path: string }>('SELECT DISTINCT path FROM published_files WHERE user_id = ?');
  const ambiguous = statement<{ path: string }>(
    'SELECT path FROM published_files GROUP BY path HAVING COUNT(*) > 1',
  );
  const insertion = statement(INSERT);
  const deletion = statement('DELETE FROM published_files WHERE id = ?');
  return {
    list: (name: string) => ofPath.all(name),
    listByInode: (inode: string) => ofInode.all(inode),
    listPaths: (userId: string) => ofUser.all(userId).map((row) => row.path),
    listAmbiguous: () => ambiguous.all().map((row) => row.path),
    insert: (name: string, inode: string, asset: string | null, userId: string | null) => {
      insertion.run(name, inode, asset, userId);
    },
    delete: ({ id }: Row) => {
      deletion.run(id);
    },
  };
}

/** The inode of a file or link; null without one. */
function readInode(file: string): string | null {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false })?.ino.toString() ?? null;
}

function printRefusal(name: string, asset: string | null): string {
  const by = asset === null ? 'another user has published it' : `\`${asset}\` has published it`;
  const may =
    asset === null
      ? 'choose another path, or ask an administrator'
      : 'run that one, choose another path, or ask for EDIT on it';
  return `the file \`${name}\` cannot be replaced, because ${by}: ${may}`;
}
