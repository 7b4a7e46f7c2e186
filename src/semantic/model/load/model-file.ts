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
  /** Changes whenever the content changes. */
  readonly revision: string;
  read(): SourceReading;
}
