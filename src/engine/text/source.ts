/** A source file or script: `name` is a catalog path or a file path, and appears in messages. */
export interface Source {
  readonly name: string;
  readonly text: string;
}
