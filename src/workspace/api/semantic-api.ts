import type { Translate } from '../../engine/connection/contract/translate.ts';
import type { Params } from '../../engine/script/params/params.ts';
import type { Diagnostic } from '../../engine/text/diagnostic.ts';
import type { Source } from '../../engine/text/source.ts';
import type { CompiledQuery } from '../../semantic/compile/compile-query.ts';
import type { CompiledStatement } from '../../semantic/compile/compile-statement.ts';
import type { ExportedModel } from '../../semantic/export/print-ossie.ts';
import type { Exploration, Together } from '../../semantic/metadata/explore-model.ts';
import type { MetadataBody } from '../../semantic/metadata/to-metadata.ts';
import type { ModelTest } from '../../semantic/tests/plan-model-tests.ts';
import type { ScriptOutcome } from './scripts-api.ts';

export type { Loss } from '../../semantic/import/draft/losses.ts';
export type { Exploration, ModelTest, Together };

/**
 * Which model is asked: that of a connection, or without a name of the only semantic one (semantic 1); or one on disk,
 * by its path from `cwd` and its key in a project.
 */
export type ModelTarget =
  | { readonly kind: 'connection'; readonly name?: string | undefined }
  | { readonly kind: 'disk'; readonly path: string; readonly cwd: string; readonly key?: string | undefined };

/** A model, and what was found about it. */
export interface CheckedModel {
  readonly files: number;
  readonly diagnostics: readonly Diagnostic[];
  /** What the database has to say yet; none for a model with faults. */
  readonly tests: readonly ModelTest[];
  /** The connection of the model's SQL; null for a model that only compiles. */
  readonly connection: string | null;
}

/** How a question becomes SQL; what is left out follows from the connection. */
interface CodegenOptions {
  /** Refuse questions whose groups overlap. */
  readonly strict?: boolean | undefined;
  /** From when words in the place of dates are seen, such as `last 30 days`; left out: they are none. */
  readonly now?: Date | undefined;
}

/** The SQL of a question, and how it came about (semantic 1, explain). */
export type CodegenBody = Pick<CompiledQuery, 'sql' | 'plan' | 'paths' | 'warnings'>;

/** The SQL of a statement of Semantic SQL, and how it came about (semantic SQL 1). */
export type StatementBody = CompiledStatement;

/** A text of Semantic SQL, and the parameters that are replaced in it. */
export interface SemanticText {
  readonly source: Source;
  readonly params: Params;
}

/** The SQL of a question, and what it is to run on. */
export interface PreparedQuestion extends Pick<CodegenBody, 'sql' | 'warnings'> {
  readonly connection: string;
  readonly overrides: Readonly<Record<string, string>>;
  /** After how long a run is stopped that says nothing else; null: as the connection has it. */
  readonly timeoutMs: number | null;
}

/**
 * What semantic models answer. An outcome `script` is a model with faults that has never been without, `usage` a path on
 * disk without a model. Everything throws a ServiceError.
 */
export interface SemanticApi {
  /** The metadata response (interface 2.7, 4.4). */
  metadata(target: ModelTarget): ScriptOutcome<MetadataBody>;
  /** The SQL of a question, the `query` of a request (interface 4.4). */
  codegen(target: ModelTarget, query: unknown, options: CodegenOptions): ScriptOutcome<CodegenBody>;
  /**
   * As `codegen`, for whoever runs it: on the connection behind a semantic one, else on that of the project's environment,
   * else on `duckdb`. Refused with 422 for a semantic connection that only compiles.
   */
  prepare(target: ModelTarget, query: unknown, options: CodegenOptions): ScriptOutcome<PreparedQuestion>;
  /** The SQL of each statement of a text of Semantic SQL. An outcome `script` is also a text that is refused. */
  codegenSql(
    target: ModelTarget,
    text: SemanticText,
    options: Pick<CodegenOptions, 'strict'>,
  ): Promise<ScriptOutcome<readonly StatementBody[]>>;
  /** Translates statements by the model as it is now. Rejects with a DiagnosticError for one with faults. */
  prepareTranslation(target: ModelTarget): Promise<Translate>;
  /** What a model, an entity or a field (`entity.field`) offers to questions. */
  explore(target: ModelTarget, name: string | undefined): ScriptOutcome<Exploration>;
  /** All that is found about a model. */
  check(target: ModelTarget): ScriptOutcome<CheckedModel>;
  /** The model as a document of Apache Ossie, with what that has no words for. */
  toOssie(target: ModelTarget): ScriptOutcome<ExportedModel>;
}
