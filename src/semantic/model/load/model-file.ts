import type { SourceReading } from '../../../engine/project/file-tree.ts';

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
