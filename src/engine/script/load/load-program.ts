import type { Snapshot } from '../../project/snapshot.ts';
import { type Diagnostic, DiagnosticError } from '../../text/diagnostic.ts';
import { finish, type Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { checkLoad, checkProgram } from '../check/check-program.ts';
import type { Params } from '../params/params.ts';
import type { Program } from '../program/program.ts';
import { link } from './link.ts';
import type { ParseCache } from './parse-cache.ts';

/**
 * Parses and links a snapshot. Throws a DiagnosticError with all errors of its packages
 * (docs/reference/language.md#files-and-packages, docs/reference/language.md#errors), and a ParamError.
 */
export function loadProgram(snapshot: Snapshot, params: Params, cache: ParseCache): Program {
  return finish(loadLongProgram(snapshot, params, cache));
}

/** As `loadProgram`, but interruptible. */
export function* loadLongProgram(
  snapshot: Snapshot,
  params: Params,
  cache: ParseCache,
): Interruptible<Program> {
  const { program, diagnostics, searchNeighbours } = yield* link(snapshot, params, cache);
  let loadErrors = yield* checkLoad(program);
  const isUnknown = loadErrors.some(({ code }) => code === 'unknown-name');
  if (isUnknown || needsMore(snapshot, program)) {
    yield* searchNeighbours();
    loadErrors = yield* checkLoad(program);
  }
  const errors = [...diagnostics, ...loadErrors];
  if (errors.length > 0) throw new DiagnosticError(sort(errors));
  return program;
}

/** Whether the block to run is unknown. */
function needsMore({ needs: [{ name }] }: Snapshot, { root }: Program): boolean {
  return name !== undefined && !root.definitions.has(name);
}

/** All errors and warnings of a snapshot. Throws a ParamError. */
export function checkSnapshot(
  snapshot: Snapshot,
  options: CheckOptions,
  cache: ParseCache,
): readonly Diagnostic[] {
  return finish(checkLongSnapshot(snapshot, options, cache));
}

interface CheckOptions {
  readonly params: Params;
  readonly lexicalRules: LexicalRules;
}

/** As `checkSnapshot`, but interruptible. */
export function* checkLongSnapshot(
  snapshot: Snapshot,
  { params, lexicalRules }: CheckOptions,
  cache: ParseCache,
): Interruptible<readonly Diagnostic[]> {
  const { program, diagnostics } = yield* link(snapshot, params, cache);
  const isParameterized = Object.keys(params).length > 0;
  const findings = yield* checkProgram(program, isParameterized ? lexicalRules : null);
  return sort([...diagnostics, ...findings]);
}

/** Sorts by file, line and column; keeps the order of diagnostics at the same position. */
function sort(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column,
  );
}

function compareText(a: string, b: string): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
