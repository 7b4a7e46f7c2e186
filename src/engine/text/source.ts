/**
 * A source file or script: `name` is a catalog path or a file path, and appears in messages; `asset` is the id of the
 * asset that has the text, which a file on disk and a text of a request do not have.
 */
export interface Source {
  readonly name: string;
  readonly text: string;
  readonly asset?: string | undefined;
}
