import type { SourceReading } from '../../../engine/project/file-tree.ts';

/** Most files of one model. */
export const MAX_FILES = 2_000;

/** Whether a file of this name is one of a model. */
export function isModelFile(name: string): boolean {
  return /\.(ya?ml|json)$/i.test(name);
}

/** A file of a model where it is kept: a disk, the catalog. */
export interface ModelFile {
  /** What messages call it; unique among the files of a model. */
  readonly name: string;
  /** Another one whenever the text is another one. */
  readonly revision: string;
  read(): SourceReading;
}
