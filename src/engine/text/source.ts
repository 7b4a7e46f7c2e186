/** A text as its author knows it: `name` is a catalog path or a file's path, and appears in messages. */
export interface Source {
  readonly name: string;
  readonly text: string;
}
