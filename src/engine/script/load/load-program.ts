import type { Snapshot } from '../../project/snapshot.ts';
import { type Diagnostic, DiagnosticError } from '../../text/diagnostic.ts';
import { finish, type Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { checkLoad, checkProgram } from '../check/check-program.ts';
import { checkSuggestions } from '../params/descriptions.ts';
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
  if (errors.length > 0) throw new DiagnosticError(sortDiagnostics(errors));
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
  return finish(checkLongSnapshot(snapshot, options, cache)).diagnostics;
}

interface CheckOptions {
  readonly params: Params;
  readonly lexicalRules: LexicalRules;
}

/** A linked program, as far as its errors allow, with all errors and warnings. */
interface CheckedProgram {
  readonly program: Program;
  readonly diagnostics: readonly Diagnostic[];
}

/** As `checkSnapshot`, but interruptible, and with the program. */
export function* checkLongSnapshot(
  snapshot: Snapshot,
  { params, lexicalRules }: CheckOptions,
  cache: ParseCache,
): Interruptible<CheckedProgram> {
  const { program, diagnostics } = yield* link(snapshot, params, cache);
  const isParameterized = Object.keys(params).length > 0;
  const findings = yield* checkProgram(program, isParameterized ? lexicalRules : null);
  const files = [...program.packages.values()].flatMap(({ files: linked }) => linked);
  const suggestions = files.flatMap(({ file }) => checkSuggestions(file.rendered.source));
  return { program, diagnostics: sortDiagnostics([...diagnostics, ...findings, ...suggestions]) };
}

/** Sorts by file, line and column; keeps the order of diagnostics at the same position. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column,
  );
}

function compareText(a: string, b: string): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
