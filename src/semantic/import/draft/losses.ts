import { createDiagnostic, type Diagnostic } from '../../../engine/text/diagnostic.ts';
import { toPrintable } from '../../../engine/text/printable.ts';
import type { Source } from '../../../engine/text/source.ts';
import type { Span } from '../../../engine/text/span.ts';

/** Something of a model that another format cannot say, or says only nearly: plain data, `line` and `column` 1-based. */
export interface Loss {
  readonly kind: 'dropped' | 'approximated';
  /** What it is, and why. */
  readonly message: string;
  /** Null where it has no place in a text. */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

/** Takes down what becomes of something in one file; `subject` is what it is, `why` a sentence without its end. */
export interface FileLosses {
  readonly source: Source;
  drop(span: Span, subject: string, why: string): void;
  approximate(span: Span, subject: string, why: string): void;
}

/** A place in a file, where something that was read stands. */
export interface Origin {
  readonly losses: FileLosses;
  readonly span: Span;
  readonly subject: string;
}

/** The losses of one file, which are added to `all`. */
export function createFileLosses(source: Source, all: Loss[]): FileLosses {
  const note = (kind: Loss['kind']) => (span: Span, subject: string, why: string) => {
    const { message, file, line, column } = locate(source, span, toLine(`${subject}: ${why}`));
    all.push({ kind, message, file, line, column });
  };
  return { source, drop: note('dropped'), approximate: note('approximated') };
}

/** Text that others wrote, as one line of a terminal. */
export function toLine(text: string): string {
  return toPrintable(text.replaceAll(/\s+/g, ' '), 0).text;
}

function locate(source: Source, span: Span, message: string): Diagnostic {
  return createDiagnostic(source, span, message, 'model', 'warning');
}
