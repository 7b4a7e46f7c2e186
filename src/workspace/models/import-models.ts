import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DiagnosticError } from '../../engine/text/diagnostic.ts';
import type { Source } from '../../engine/text/source.ts';
import { elementAt } from '../../invariants/must.ts';
import type { Loss } from '../../semantic/import/draft/losses.ts';
import { type ImportFormat, importModel } from '../../semantic/import/import-model.ts';
import { listFilesLike, listModelFiles } from '../../semantic/model/load/list-model-files.ts';
import type { Platform } from '../../semantic/model/model.ts';
import { printModel } from '../../semantic/model/print-model.ts';

/** Folders with output or dependencies of a tool, which are read only if a path names them. */
const SKIPPED: Readonly<Record<ImportFormat, readonly string[]>> = {
  ossie: [],
  dbt: ['target', 'dbt_packages', 'dbt_modules', 'logs'],
  cube: [],
};

/** The files to import, and their format. */
interface ImportTarget {
  readonly from: ImportFormat;
  /** Files or folders, from `cwd`. */
  readonly paths: readonly string[];
  readonly cwd: string;
  /** Undefined: the platform that the files declare, else DuckDB. */
  readonly platform: Platform | undefined;
}

/** The files of an imported model, and the import warnings. */
export interface ImportedFiles {
  /** The complete model as one file. */
  readonly text: string;
  /** One file per layer. */
  readonly layers: readonly { readonly name: string; readonly text: string }[];
  readonly losses: readonly Loss[];
}

/** Reads models of other tools from disk. Throws an InputError for invalid files, and for a path without such files. */
export function importModels({ from, paths, cwd, platform }: ImportTarget): ImportedFiles {
  const sources = readSources(paths, cwd, SKIPPED[from]);
  const { documents, losses, diagnostics } = importModel(sources, { from, platform });
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
  const layers = documents.flatMap((document) => document.layers);
  const files = documents.map((document) => ({
    name: elementAt(document.layers, 0).name,
    text: printModel(document),
  }));
  const all = from === 'cube' ? [...losses, ...listScripts(paths, cwd)] : losses;
  return { text: printModel({ version: '1.0', layers }), layers: files, losses: all };
}

/** Lists data models of Cube in JavaScript, which only Cube can run. */
function listScripts(paths: readonly string[], cwd: string): readonly Loss[] {
  const files = paths.flatMap((name) => listFilesLike({ path: name, cwd }, /\.[jt]s$/));
  const scripts = files.filter((file) =>
    /\b(?:cube|view)\s*\(/.test(readFileSync(path.resolve(cwd, file), 'utf8')),
  );
  return scripts.map((file) => ({
    kind: 'dropped',
    message: 'the file: a data model in JavaScript, which only Cube can run',
    file,
    line: 1,
    column: 1,
  }));
}

/** Reads each file once, even if several paths name it. */
function readSources(paths: readonly string[], cwd: string, skipped: readonly string[]): readonly Source[] {
  const files = paths.flatMap((name) => listModelFiles({ path: name, cwd, skipped }));
  const byName = new Map(files.map((file) => [file.name, file]));
  return [...byName.values()].map((file) => {
    const { source, error } = file.read();
    if (source === undefined) throw new DiagnosticError([error]);
    return source;
  });
}
