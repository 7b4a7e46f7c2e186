import type { SqlDialect } from '../../text/sql-dialect.ts';
import type { Output } from '../params/output.ts';
import type { BlockDefinition, LinkedFile, MacroDefinition, Package, Program } from '../program/program.ts';
import type { BlockDeclaration, ConstantDeclaration } from '../syntax/ast.ts';
import type { Publication } from './publication.ts';
import type { Evaluation, Site } from './request.ts';
import type { Budget } from './size.ts';
import type { Value } from './value.ts';

/** What one execution knows and remembers: constants and metadata are evaluated once in it (language 3). */
export interface RunContext {
  readonly program: Program;
  readonly dialect: SqlDialect;
  /** The time of the execution, in milliseconds since 1970-01-01 UTC. */
  readonly now: number;
  /** Null while a constant is being evaluated. */
  readonly budget: Budget;
  readonly constants: Map<ConstantDeclaration, { readonly value: Value } | null>;
  readonly publications: Map<BlockDeclaration, Publication | null>;
  readonly expandMacro: (
    macro: MacroDefinition,
    args: ReadonlyMap<string, Value>,
    from: Scope,
    output: Output,
  ) => Evaluation<void>;
}

/** What one piece of script sees. */
export interface Scope {
  readonly context: RunContext;
  readonly package: Package;
  readonly file: LinkedFile;
  /** The block it stands in, for messages about the rendered SQL. */
  readonly block: string;
  readonly locals: ReadonlyMap<string, Value>;
  /** How many macros are being expanded around it. */
  readonly depth: number;
  /** What is being published, if anything is. */
  readonly publication: { readonly target: string; readonly incremental: boolean } | null;
}

/** What a block being rendered sees: its arguments, by name, and what is being published. */
export function createScope(
  context: RunContext,
  block: BlockDefinition,
  args: ReadonlyMap<string, Value>,
  publication: Scope['publication'] = null,
): Scope {
  const { package: owner, file, name } = block;
  return { context, package: owner, file, block: name, locals: args, depth: 0, publication };
}

/** The same scope with one more name. */
export function withLocal(scope: Scope, name: string, value: Value): Scope {
  return { ...scope, locals: new Map(scope.locals).set(name, value) };
}

/** A place in the file of a scope. */
export function toSite(
  { file }: Scope,
  { start, end }: { readonly start: number; readonly end: number },
): Site {
  return { file, start, end };
}
