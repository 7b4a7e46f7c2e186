import { createDiagnostic, type Diagnostic } from '../../../engine/text/diagnostic.ts';
import type { Source } from '../../../engine/text/source.ts';
import type { Span } from '../../../engine/text/span.ts';
import { toPrintable } from '../../../text/printable.ts';

/**
 * A part of a model that another format cannot express, or only approximately. Plain data; `line` and `column` are
 * 1-based.
 */
export interface Loss {
  readonly kind: 'dropped' | 'approximated';
  /** The subject and the reason. */
  readonly message: string;
  /** Null without a location in a file. */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

/** Records the losses of one file; `subject` names the part, `why` is a sentence without a full stop. */
export interface FileLosses {
  readonly source: Source;
  drop(span: Span, subject: string, why: string): void;
  approximate(span: Span, subject: string, why: string): void;
}

/** The location in a file of a part that was read. */
export interface PartLocation {
  readonly losses: FileLosses;
  readonly span: Span;
  readonly subject: string;
}

/** Creates the recorder of one file, which adds its losses to `all`. */
export function createFileLosses(source: Source, all: Loss[]): FileLosses {
  const note = (kind: Loss['kind']) => (span: Span, subject: string, why: string) => {
    const { message, file, line, column } = locate(source, span, toLine(`${subject}: ${why}`));
    all.push({ kind, message, file, line, column });
  };
  return { source, drop: note('dropped'), approximate: note('approximated') };
}

/** Another tool's text, as one line for a terminal. */
export function toLine(text: string): string {
  return toPrintable(text.replaceAll(/\s+/g, ' '), 0).text;
}

function locate(source: Source, span: Span, message: string): Diagnostic {
  return createDiagnostic(source, span, message, 'model', 'warning');
}
