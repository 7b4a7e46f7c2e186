import { printCodeFrame } from './code-frame.ts';
import { findPosition, getLineMap } from './line-map.ts';
import { toPrintableLines } from './printable.ts';
import type { Source } from './source.ts';
import type { Span } from './span.ts';

const LONGEST_MESSAGE = 2000;

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

/** Makes a finding about a stretch of a source (language section 10); a span outside the text is drawn into it. */
export function createDiagnostic(
  source: Source,
  span: Span,
  message: string,
  severity: Diagnostic['severity'] = 'error',
): Diagnostic {
  const { line, column } = findPosition(getLineMap(source), span.start);
  return {
    severity,
    message: shorten(message),
    file: source.name,
    line,
    column,
    frame: printCodeFrame(source, span),
  };
}

/** A message quotes what is wrong, which may be of any length. */
function shorten(message: string): string {
  return message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`;
}

/** A finding for a terminal: `file:line:column: error: message`, then the code frame. */
export function printDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, severity, message, frame } = diagnostic;
  return `${toPrintableLines(`${file}:${line}:${column}: ${severity}: ${message}`)}\n${frame}`;
}

/** Findings that stop the work; its message shows them all. */
export class DiagnosticError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    super(diagnostics.map(printDiagnostic).join('\n\n'), options);
    this.name = 'DiagnosticError';
    this.diagnostics = diagnostics;
  }
}
