import { type BigIntStats, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DISK } from '../../../engine/project/disk.ts';
import type { SourceReading } from '../../../engine/project/file-tree.ts';
import { type Manifest, parseManifest, type SemanticModel } from '../../../engine/project/manifest.ts';
import { DiagnosticError } from '../../../engine/text/diagnostic.ts';
import { InputError } from '../../../errors/input-error.ts';
import { modelMessages } from '../model-messages.ts';

/** The maximum number of files in a model. */
export const MAX_FILES = 2_000;

/** Whether a file of this name is one of a model. */
export function isModelFile(name: string): boolean {
  return /\.(ya?ml|json)$/i.test(name);
}

/** A model file in its storage: a disk or the catalog. */
export interface ModelFile {
  /** The name in messages; unique among the files of a model. */
  readonly name: string;
  /** The id of the item in the catalog, which another one of the same name does not have; undefined for other files. */
  readonly id?: string | undefined;
  /** Changes whenever the content changes. */
  readonly revision: string;
  read(): SourceReading;
}

type FileName = Pick<ModelFile, 'name' | 'id'>;

/** Whether files are a later state of the model with the files `before`: at least one of them is still there. */
export function continuesModel(before: readonly FileName[], files: readonly FileName[]): boolean {
  const known = new Set(before.map(identify));
  return files.some((file) => known.has(identify(file)));
}

function identify({ id, name }: FileName): string {
  return id ?? name;
}

/** A model on disk. */
interface ModelLocation {
  /** A file, a folder of files, or a project whose manifest names a model. */
  readonly path: string;
  /** The base of relative paths, which messages leave out. */
  readonly cwd: string;
  /** The key of a model in a project with several models. */
  readonly key?: string | undefined;
  /** Names of subfolders to skip. */
  readonly skipped?: readonly string[] | undefined;
}

/** Lists the files in a folder and its subfolders whose names match, relative to `cwd`; empty if it is not a folder. */
export function listFilesLike(
  { path: modelPath, cwd, skipped = [] }: ModelLocation,
  pattern: RegExp,
): readonly string[] {
  const folder = path.resolve(cwd, modelPath);
  if (findStats(folder)?.isDirectory() !== true) return [];
  const files = listPaths(folder, ['node_modules', ...skipped], (name) => pattern.test(name));
  return files.map((file) => printPath(file, cwd));
}

const MANIFEST = 'project.toml';
/** The maximum number of files and folders to search for a model. */
const MAX_ENTRIES = 20_000;

/**
 * The files of a model on disk, sorted by name (docs/reference/semantic-model.md#several-files). Throws a NoModelError
 * without files, and a DiagnosticError for an invalid manifest.
 */
export function listModelFiles(location: ModelLocation): readonly ModelFile[] {
  const { path: modelPath, cwd, key } = location;
  const target = path.resolve(cwd, modelPath);
  const stats = findStats(target);
  if (stats === null) throw new NoModelError(modelMessages.noSuchPath(modelPath), 'missing');
  const manifest = findModelProject(location);
  if (manifest === null) {
    if (key !== undefined) throw new NoModelError(modelMessages.noModels(modelPath));
    return stats.isDirectory() ? listFolder(target, location) : [toFile(target, cwd, stats)];
  }
  const { path: chosen } = chooseModel(manifest, key, modelPath);
  return listFolder(path.join(target, chosen), { ...location, path: path.join(modelPath, chosen) });
}

/** The manifest of a project with models; null for other places. Throws a DiagnosticError for an invalid manifest. */
export function findModelProject({ path: modelPath, cwd }: ModelLocation): Manifest | null {
  const file = path.join(path.resolve(cwd, modelPath), MANIFEST);
  if (!DISK.isFile(file)) return null;
  const { source, error } = DISK.readSource(file, printPath(file, cwd), null);
  if (source === undefined) throw new DiagnosticError([error]);
  const manifest = parseManifest(source);
  return manifest.semantic.byKey.size === 0 ? null : manifest;
}

function listFolder(
  folder: string,
  { cwd, path: modelPath, skipped = [] }: ModelLocation,
): readonly ModelFile[] {
  if (findStats(folder) === null) throw new NoModelError(modelMessages.noSuchPath(modelPath), 'missing');
  const paths = listPaths(folder, ['node_modules', ...skipped], isModelFile);
  if (paths.length > MAX_FILES) throw new NoModelError(modelMessages.tooMany('files', MAX_FILES));
  const files = paths.flatMap((file) => {
    const stats = findStats(file);
    return stats?.isFile() ? [toFile(file, cwd, stats)] : [];
  });
  if (files.length === 0) throw new NoModelError(modelMessages.noFiles(modelPath));
  return files;
}

/** In code unit order, without hidden files. */
function listPaths(
  folder: string,
  skipped: readonly string[],
  isWanted: (name: string) => boolean,
): readonly string[] {
  let seen = 0;
  const walk = (inner: string): readonly string[] => {
    const entries = readdirSync(inner, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') && !skipped.includes(name))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    seen += entries.length;
    if (seen > MAX_ENTRIES) throw new NoModelError(modelMessages.crowded(folder, MAX_ENTRIES));
    return entries.flatMap((entry) => {
      const file = path.join(inner, entry.name);
      if (entry.isDirectory()) return walk(file);
      return isWanted(entry.name) ? [file] : [];
    });
  };
  return walk(folder);
}

function toFile(file: string, cwd: string, { mtimeNs, ctimeNs, size, ino }: BigIntStats): ModelFile {
  const name = printPath(file, cwd);
  return {
    name,
    revision: `${mtimeNs} ${ctimeNs} ${size} ${ino}`,
    read: () => DISK.readSource(file, name, null),
  };
}

/** Prints a path relative to `cwd`. */
function printPath(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  return relative === '' || relative.startsWith('..') ? file : relative;
}

function findStats(file: string): BigIntStats | null {
  try {
    return statSync(file, { bigint: true });
  } catch {
    return null;
  }
}

/** A missing model; the message is one sentence. */
export class NoModelError extends InputError {
  constructor(message: string, kind: 'usage' | 'missing' = 'usage') {
    super(kind, message);
  }
}

/**
 * Chooses the model of a project: the named, the only or the default one
 * (docs/reference/semantic-model.md#several-files). Throws a NoModelError.
 */
export function chooseModel({ semantic }: Manifest, key: string | undefined, project: string): SemanticModel {
  const keys = [...semantic.byKey.keys()];
  const chosen = key ?? semantic.default ?? (keys.length === 1 ? keys[0] : undefined);
  if (chosen === undefined) throw new NoModelError(modelMessages.severalModels(project, keys));
  const model = semantic.byKey.get(chosen);
  if (model === undefined) throw new NoModelError(modelMessages.unknownModel(project, chosen, keys));
  return model;
}
