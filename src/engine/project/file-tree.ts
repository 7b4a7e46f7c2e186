import type { Diagnostic } from '../text/diagnostic.ts';
import type { Source } from '../text/source.ts';

/** A file's text, or why there is none. */
export type SourceReading =
  | { readonly source: Source; readonly fault?: undefined }
  | { readonly source?: undefined; readonly fault: Diagnostic };

/** Folders and files from which packages are read, by absolute paths. */
export interface FileTree {
  /** The one path of a folder, by which it is told from others; null when there is none. */
  findFolder(folder: string): string | null;
  /** Whether there is anything but a folder. */
  isFile(file: string): boolean;
  /** The names of the folders in a folder, in code unit order. */
  listFolderNames(folder: string): readonly string[];
  /** The names of the scripts in a folder, in code unit order: every `*.sql` (language 1) but hidden ones. */
  listScriptNames(folder: string): readonly string[];
  /** Reads a file, which messages call `name`. A link may not lead out of the folder `within`; null: anywhere. */
  readSource(file: string, name: string, within: string | null): SourceReading;
}
