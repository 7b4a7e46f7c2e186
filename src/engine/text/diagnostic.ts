// Errors and warnings about a source are plain data: they cross processes and HTTP, and a command prints them with a
// caret. The code that finds an error knows a span of its source; this file turns the span into a line, a column and
// the lines around it.

import { InputError } from '../../errors/input-error.ts';
import { toPrintableLines } from '../../text/printable.ts';
import { printCodeFrame } from './code-frame.ts';
import { findPosition, getLineMap, type Position } from './line-map.ts';
import type { Source } from './source.ts';
import type { Span } from './span.ts';

const MAX_MESSAGE_LENGTH = 2000;

/**
 * The subject of a diagnostic: an unreadable file, a manifest, script syntax, the target of an import, a name that is
 * declared twice, unknown or hidden by an import, the arguments of a call, a cycle of calls, a publication, an unknown
 * word, a body that seems unfinished, rendering, a missing or unused parameter, SQL that a database rejects, SQL that cannot be parsed, a semantic model.
 */
export type DiagnosticCode =
  | 'file'
  | 'manifest'
  | 'syntax'
  | 'import'
  | 'duplicate-name'
  | 'unknown-name'
  | 'hidden-name'
  | 'arguments'
  | 'call-circle'
  | 'publication'
  | 'checks'
  | 'unknown-word'
  | 'open-body'
  | 'rendering'
  | 'parameter'
  | 'sql'
  | 'sql-syntax'
  | 'model';

/**
 * An error or warning about a source, as plain data that can be sent to another process. `line` and `column` are
 * 1-based, `column` counts UTF-16 units; `end` is exclusive; `suggestion` is the name that was probably meant; `frame`
 * is the code frame, without colours.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly suggestion: string | null;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly end: Position;
  readonly frame: string;
}

/** A diagnostic without a position in a source. */
type GeneralWarning = Pick<Diagnostic, 'severity' | 'code' | 'message' | 'suggestion'>;

/** A warning for the user who runs something; the run can still succeed. */
export type Warning = Diagnostic | GeneralWarning;

/** Reports a warning about the current work. */
export type Warn = (warning: Warning) => void;

/**
 * Creates a diagnostic for a span of a source (docs/reference/language.md#errors); a span outside the source is
 * clamped.
 */
export function createDiagnostic(
  source: Source,
  span: Span,
  message: string,
  code: DiagnosticCode,
  severity: Diagnostic['severity'] = 'error',
): Diagnostic {
  const map = getLineMap(source);
  return {
    severity,
    code,
    message: shorten(message),
    suggestion: findSuggestion(message),
    file: source.name,
    ...findPosition(map, span.start),
    end: findPosition(map, Math.max(span.start, span.end)),
    frame: printCodeFrame(source, span),
  };
}

/** Messages of Quern and of databases end with the suggestion. */
function findSuggestion(message: string): string | null {
  return /did you mean ([`"'])(.{1,200}?)\1/i.exec(message)?.[2] ?? null;
}

/** A message quotes the wrong value, which can have any length. */
function shorten(message: string): string {
  return message.length <= MAX_MESSAGE_LENGTH ? message : `${message.slice(0, MAX_MESSAGE_LENGTH)}…`;
}

/** A diagnostic for a terminal: `file:line:column: error: message`, then the code frame. */
export function printDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, severity, message, frame } = diagnostic;
  return `${toPrintableLines(`${file}:${line}:${column}: ${severity}: ${message}`)}\n${frame}`;
}

/** Diagnostics that stop the work; the message contains all of them. */
export class DiagnosticError extends InputError {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    super('text', diagnostics.map(printDiagnostic).join('\n\n'), options);
    this.diagnostics = diagnostics;
  }
}
