/**
 * One finding about a text, as plain data that can be sent to another process.
 * `line` and `column` are 1-based, `column` counts UTF-16 units; `frame` is the code frame, without colours.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly frame: string;
}
