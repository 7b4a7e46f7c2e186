import type { SqlDialect } from '../../text/sql-dialect.ts';
import type { RenderedSql } from '../params/output.ts';
import type { BlockDefinition, LinkedFile, MacroDefinition, Package, Program } from '../program/program.ts';
import type { BlockDeclaration, ConstantDeclaration } from '../syntax/ast.ts';
import type { RunEnvironment } from './environment.ts';
import type { Publication } from './publication.ts';
import type { CallSite, Evaluation } from './request.ts';
import type { Budget } from './size.ts';
import type { Value } from './value.ts';

/** The state of one execution: constants and metadata are evaluated once (docs/reference/language.md#metadata). */
export interface RunContext {
  readonly program: Program;
  readonly dialect: SqlDialect;
  /** The time of the execution, in milliseconds since 1970-01-01 UTC. */
  readonly now: number;
  readonly budget: Budget;
  /** Whether a part that cannot be rendered becomes a `HOLE`; otherwise, its error ends the rendering. */
  readonly leavesHoles: boolean;
  /** Null while a constant is being evaluated. */
  readonly constants: Map<ConstantDeclaration, { readonly value: Value } | null>;
  readonly publications: Map<BlockDeclaration, Publication | null>;
  /** Names the targets of the run. */
  readonly environment: RunEnvironment;
  /**
   * The relations that replace blocks with given rows; every other block is computed, also a published one. Null outside
   * tests with given rows.
   */
  readonly given: ReadonlyMap<BlockDeclaration, string> | null;
  /** Whether every call is a request, also one of a published block: the runner can replace what it reads. */
  readonly asksEachCall: boolean;
  readonly expandMacro: (
    macro: MacroDefinition,
    args: ReadonlyMap<string, Value>,
    from: Scope,
    output: RenderedSql,
  ) => Evaluation<void>;
}

/** The scope of a piece of script. */
export interface Scope {
  readonly context: RunContext;
  readonly package: Package;
  readonly file: LinkedFile;
  /** The block that contains it, for messages about the rendered SQL. */
  readonly block: string;
  readonly locals: ReadonlyMap<string, Value>;
  /** The number of macros that are being expanded around it. */
  readonly depth: number;
  /** The current publication; null if no block is being published. */
  readonly publication: { readonly target: string; readonly incremental: boolean } | null;
}

/** Creates the scope of a block: its arguments by name, and the current publication. */
export function createScope(
  context: RunContext,
  block: BlockDefinition,
  args: ReadonlyMap<string, Value>,
  publication: Scope['publication'] = null,
): Scope {
  const { package: owner, file, name } = block;
  return { context, package: owner, file, block: name, locals: args, depth: 0, publication };
}

/** A scope with one more name. */
export function withLocal(scope: Scope, name: string, value: Value): Scope {
  return { ...scope, locals: new Map(scope.locals).set(name, value) };
}

/** A position in the file of a scope. */
export function toSite(
  { file }: Scope,
  { start, end }: { readonly start: number; readonly end: number },
): CallSite {
  return { file, start, end };
}
