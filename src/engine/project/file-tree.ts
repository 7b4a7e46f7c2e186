import type { Diagnostic } from '../text/diagnostic.ts';
import type { Source } from '../text/source.ts';

/** The source in a file, or the error that prevents reading it. */
export type SourceReading =
  | { readonly source: Source; readonly error?: undefined }
  | { readonly source?: undefined; readonly error: Diagnostic };

/** Folders and files from which packages are read, by absolute paths. */
export interface FileTree {
  /** The canonical path of a folder, which identifies it; null if it does not exist. */
  findFolder(folder: string): string | null;
  /** Whether the path exists and is not a folder. */
  isFile(file: string): boolean;
  /** The names of the folders in a folder, in code unit order. */
  listFolderNames(folder: string): readonly string[];
  /**
   * The names of the scripts in a folder, in code unit order: every `*.sql`
   * (docs/reference/language.md#files-and-packages) except hidden files.
   */
  listScriptNames(folder: string): readonly string[];
  /** Reads a file; `name` is its name in messages. A link must not lead outside the folder `within`, unless null. */
  readSource(file: string, name: string, within: string | null): SourceReading;
}
