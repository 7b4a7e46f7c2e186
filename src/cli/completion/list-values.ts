import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { INDEX, readPages } from '../../documentation/pages.ts';
import { SETTINGS } from '../../settings/table.ts';
import { DOCUMENTATION_FOLDER } from '../../workspace/home/package-root.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';
import { hasChildren, splitPath } from '../actions/find-item.ts';
import type { ValueKind } from './find-slot.ts';

/** The start of the declaration of a block or test, with its name. */
const DECLARATION = /^[ \t]*#\+(?:src|test)[ \t]+\w+[ \t]+([A-Za-z_]\w*)/gm;

/** A request for values: the word to complete, the operands before it, and the folder of the caller. */
interface Wanted {
  readonly kind: ValueKind;
  readonly word: string;
  readonly before: readonly string[];
  readonly cwd: string;
}

/** Lists values for the word to complete; names of files are left to the shell. */
export async function listValues(workspace: Workspace, wanted: Wanted): Promise<readonly string[]> {
  const { accounts, connections, principal } = workspace;
  switch (wanted.kind) {
    case 'catalog':
      return wanted.word.startsWith('@') ? listChildren(workspace, wanted.word) : [];
    case 'connection':
      return connections.list(principal).map(({ name }) => name);
    case 'target':
      if (wanted.word.startsWith('@')) return listChildren(workspace, wanted.word);
      return connections.list(principal).map(({ name }) => `connection:${name}`);
    case 'kind':
      return connections.listKinds().map(({ kind }) => kind);
    case 'user':
      return accounts.users.list(principal).map(({ user_name }) => user_name);
    case 'group':
      return accounts.groups.list(principal).map(({ name }) => name);
    case 'token':
      return accounts.tokens.list(principal).map(({ name }) => name);
    case 'setting':
      return Object.values(SETTINGS).map(({ key }) => key);
    case 'block':
      return listBlocks(workspace, wanted.before[0] ?? '', wanted.cwd);
    case 'page':
      return listPages();
    case 'file':
      return [];
  }
}

/** Names of pages of the documentation, which need no home. */
export function listPages(): readonly string[] {
  return readPages(DOCUMENTATION_FOLDER)
    .map(({ name }) => name)
    .filter((name) => name !== INDEX);
}

/** Paths of the folder that a catalog path is in; folders end with a slash. */
function listChildren({ catalog, principal }: Workspace, word: string): readonly string[] {
  const { parent } = word.endsWith('/') ? { parent: word.slice(0, -1) } : splitPath(word);
  const { data } = catalog.list(principal, parent === '' ? undefined : parent);
  const prefix = parent === '' ? '' : `${parent}/`;
  return data.map((entry) => `${prefix}${entry.name}${hasChildren(entry) ? '/' : ''}`);
}

async function listBlocks(workspace: Workspace, folder: string, cwd: string): Promise<readonly string[]> {
  const texts = folder.startsWith('@')
    ? readCatalog(workspace, folder)
    : await readDisk(path.resolve(cwd, folder));
  return texts.flatMap((text) => [...text.matchAll(DECLARATION)].map(([, name = '']) => name));
}

async function readDisk(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'));
  return Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
}

function readCatalog({ catalog, principal }: Workspace, folder: string): readonly string[] {
  const clean = folder.replace(/\/$/, '');
  const { data } = catalog.list(principal, clean);
  const assets = data.filter((entry) => !hasChildren(entry));
  return assets.map(({ name }) => catalog.get(principal, `${clean}/${name}`).body.data.content ?? '');
}
