import { printCodeFrame } from './code-frame.ts';
import { findPosition, getLineMap, type Position } from './line-map.ts';
import { toPrintableLines } from './printable.ts';
import type { Source } from './source.ts';
import type { Span } from './span.ts';

const MAX_MESSAGE_LENGTH = 2000;

/**
 * What a finding is about: a file that cannot be read, a manifest, the form of a script, where an import leads, a name
 * that stands twice or means nothing or is hidden by an import, the arguments of a call, a cycle of calls, a
 * publication, a word that means nothing, a body that seems to go on, what a script comes to when it is rendered, a
 * parameter that was not supplied or is not used, SQL, a semantic model.
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
  | 'unknown-word'
  | 'open-body'
  | 'rendering'
  | 'parameter'
  | 'sql'
  | 'model';

/**
 * One finding about a text, as plain data that can be sent to another process. `line` and `column` are 1-based, `column`
 * counts UTF-16 units; `end` is just behind it; `suggestion` is what was meant, where that is near; `frame` is the code
 * frame, without colours.
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

/** A finding that has no place in a text. */
type Remark = Pick<Diagnostic, 'severity' | 'code' | 'message' | 'suggestion'>;

/** What whoever runs something should know, though it may end well. */
export type Warning = Diagnostic | Remark;

/** Takes a warning about what is being done. */
export type Warn = (warning: Warning) => void;

/** Makes a finding about a stretch of a source (language section 10); a span outside the text is drawn into it. */
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

/** Messages end with what was meant, ours and those of databases. */
function findSuggestion(message: string): string | null {
  return /did you mean ([`"'])(.{1,200}?)\1/i.exec(message)?.[2] ?? null;
}

/** A message quotes what is wrong, which may be of any length. */
function shorten(message: string): string {
  return message.length <= MAX_MESSAGE_LENGTH ? message : `${message.slice(0, MAX_MESSAGE_LENGTH)}…`;
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
