import path from 'node:path';
import { entryOf } from '../../../invariants/must.ts';
import type { Snapshot } from '../../project/snapshot.ts';
import { type Diagnostic, DiagnosticError } from '../../text/diagnostic.ts';
import { finish, type Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { checkLoad, checkProgram } from '../check/check-program.ts';
import { Graph } from '../graph/graph.ts';
import { type NodeSelection, SelectionError, selectsPackage } from '../graph/select.ts';
import { checkDefaults } from '../params/descriptions.ts';
import type { Params } from '../params/params.ts';
import type { BlockDefinition, Program } from '../program/program.ts';
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
  const { program, diagnostics } = yield* loadChecked(snapshot, params, cache);
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
  return program;
}

/** As far as a program could be loaded, with the errors that prevent it from running, by file, line and column. */
function* loadChecked(snapshot: Snapshot, params: Params, cache: ParseCache): Interruptible<CheckedProgram> {
  const { program, diagnostics, searchNeighbours } = yield* link(snapshot, params, cache);
  let loadErrors = yield* checkLoad(program);
  const isUnknown = loadErrors.some(({ code }) => code === 'unknown-name');
  if (isUnknown || needsMore(snapshot, program)) {
    yield* searchNeighbours();
    loadErrors = yield* checkLoad(program);
  }
  return { program, diagnostics: sortDiagnostics([...diagnostics, ...loadErrors]) };
}

/** What a selection of a snapshot needs. */
export interface LoadedSelection {
  readonly graph: Graph;
  readonly selected: readonly BlockDefinition[];
  /** One for each file with errors that nothing selected needs. */
  readonly warnings: readonly Diagnostic[];
}

/** A selection of a snapshot, and how it is selected. */
export interface SelectionJob {
  readonly selection: NodeSelection;
  /** Throws a SelectionError. */
  readonly select: (graph: Graph, selection: NodeSelection) => readonly BlockDefinition[];
}

/**
 * Loads a snapshot and selects blocks and tests of it (docs/reference/build.md#errors-elsewhere). Throws a
 * DiagnosticError with the errors of the files that the selected ones reach and of packages that are selected as a
 * whole, a SelectionError, and a ParamError.
 */
export function* loadLongSelection(
  snapshot: Snapshot,
  params: Params,
  cache: ParseCache,
  { selection, select }: SelectionJob,
): Interruptible<LoadedSelection> {
  const { program, diagnostics } = yield* loadChecked(snapshot, params, cache);
  const graph = new Graph(program);
  try {
    const selected = select(graph, selection);
    const reached = [...graph.listDefinitions(selected)].map(({ file }) => file.file.rendered.source.name);
    const needed = new Set([...reached, ...listSelectedSources(snapshot, selection)]);
    const errors = diagnostics.filter(({ file }) => needed.has(file));
    if (errors.length > 0) throw new DiagnosticError(errors);
    const others = Map.groupBy(diagnostics, ({ file }) => file);
    const first = [...others.values()].flatMap((ofFile) => ofFile.slice(0, 1));
    return { graph, selected, warnings: first.map((one) => ({ ...one, severity: 'warning' as const })) };
  } catch (error) {
    // The selector can name a block of a file with errors.
    if (error instanceof SelectionError && diagnostics.length > 0) throw new DiagnosticError(diagnostics);
    throw error;
  }
}

/** The sources of the packages that are selected as a whole. */
function listSelectedSources({ packages }: Snapshot, selection: NodeSelection): readonly string[] {
  return packages.flatMap(({ id, name, files, unreadable }) => {
    const sources = [...files.map((source) => source.name), ...unreadable.map(({ error }) => error.file)];
    const [first] = sources;
    const isSelected =
      selection.packages.includes(id) &&
      first !== undefined &&
      selectsPackage(selection, [name, path.posix.dirname(first.replaceAll('\\', '/'))]);
    return isSelected ? sources : [];
  });
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
  const wrongDefaults = snapshot.packages.flatMap(({ id, defaults = {} }) => {
    const { files } = entryOf(program.packages, id);
    return files.flatMap(({ file }) => checkDefaults(file.rendered.source, defaults));
  });
  return { program, diagnostics: sortDiagnostics([...diagnostics, ...findings, ...wrongDefaults]) };
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
