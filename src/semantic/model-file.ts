import type { SourceReading } from '../engine/project/read-folder.ts';

/** A file of a model where it is kept: a disk, the catalog. */
export interface ModelFile {
  /** What messages call it; unique among the files of a model. */
  readonly name: string;
  /** Another one whenever the text is another one. */
  readonly revision: string;
  read(): SourceReading;
}
