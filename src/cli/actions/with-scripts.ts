import { statSync } from 'node:fs';
import path from 'node:path';
import { SelectionError } from '../../engine/script/graph/select.ts';
import { UnknownNameError } from '../../workspace/api/errors.ts';
import type { ScriptsApi } from '../../workspace/api/scripts-api.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { isDescriptor, sourceName } from '../options/open-input.ts';
import type { ScriptOptions } from '../table/shared-options.ts';
import { refuseUser } from './refuse-user.ts';
import { withWorkspace } from './with-workspace.ts';

/**
 * Runs `use` with the scripts that `paths` name: those of the catalog, or those on disk, which need no home. Throws a
 * UsageError, and an InputError for scripts with errors.
 */
export async function withScripts<T>(
  context: CliContext,
  paths: readonly string[],
  options: Pick<ScriptOptions, 'project'>,
  use: (scripts: ScriptsApi) => T,
): Promise<T> {
  const inCatalog = paths.filter((name) => name.startsWith('@'));
  if (inCatalog.length > 0 && inCatalog.length < paths.length) {
    throw new UsageError('name paths of the catalog or on disk, not both');
  }
  if (inCatalog.length === 0) for (const name of paths) checkOnDisk(context, name);
  return open(context, inCatalog.length > 0, options, use);
}

/**
 * Runs `use` with the scripts that selectors name: those of the catalog, or those of the project on disk, which need no
 * home. Throws a UsageError, also for a selector that selects nothing, and an InputError for scripts with errors.
 */
export async function withSelected<T>(
  context: CliContext,
  selectors: readonly string[],
  options: Pick<ScriptOptions, 'project'>,
  use: (scripts: ScriptsApi) => T,
): Promise<T> {
  return open(context, areInCatalog(selectors), options, use);
}

async function open<T>(
  context: CliContext,
  isInCatalog: boolean,
  options: Pick<ScriptOptions, 'project'>,
  use: (scripts: ScriptsApi) => T,
): Promise<T> {
  try {
    return isInCatalog
      ? await withWorkspace(context, async (workspace) => use(await workspace.openScripts()))
      : use(await openDisk(context, options));
  } catch (error) {
    const isUnknown = error instanceof SelectionError || error instanceof UnknownNameError;
    throw isUnknown ? new UsageError(error.message) : error;
  }
}

/** Whether selectors name parts of the catalog. Throws a UsageError for selectors of the catalog and of the disk. */
export function areInCatalog(selectors: readonly string[]): boolean {
  const inCatalog = selectors.filter((selector) => /^\+?@/.test(selector));
  if (inCatalog.length > 0 && inCatalog.length < selectors.length) {
    throw new UsageError('name packages of the catalog or on disk, not both');
  }
  return inCatalog.length > 0;
}

/** Imports are resolved from the folder of a script; piped input has no folder. */
function checkOnDisk({ cwd }: CliContext, name: string): void {
  const stats = statSync(path.resolve(cwd, name), { throwIfNoEntry: false });
  const isOnDisk = stats === undefined ? name !== '-' : stats.isFile() || stats.isDirectory();
  if (isOnDisk && !isDescriptor(name)) return;
  throw new UsageError(`cannot read ${sourceName(name)} here: write the script to a file first`);
}

async function openDisk(
  context: CliContext,
  { project }: Pick<ScriptOptions, 'project'>,
): Promise<ScriptsApi> {
  const { cwd } = context;
  refuseUser(context, 'files are read without a home; paths of the catalog (`@…`) take it');
  const { openFolder } = await import('../../workspace/runs/open-folder.ts');
  return openFolder(cwd, project);
}
