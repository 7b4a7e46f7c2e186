import type { Translate } from '../../engine/connection/contract/translate.ts';
import type { Params } from '../../engine/script/params/params.ts';
import type { Diagnostic } from '../../engine/text/diagnostic.ts';
import type { Source } from '../../engine/text/source.ts';
import type { CompiledQuery } from '../../semantic/compile/compile-query.ts';
import type { CompiledStatement } from '../../semantic/compile/compile-statement.ts';
import type { ExportedModel } from '../../semantic/export/print-ossie.ts';
import type { Exploration } from '../../semantic/metadata/explore-model.ts';
import type { MetadataBody } from '../../semantic/metadata/to-metadata.ts';
import type { ModelTest } from '../../semantic/tests/plan-model-tests.ts';

/**
 * The model of a semantic query: that of a connection, or without a name, of the only semantic connection
 * (docs/reference/semantic-http.md#sql-of-a-semantic-query); or one on disk, by its path from `cwd` and its key in a
 * project.
 */
export type ModelTarget =
  | { readonly kind: 'connection'; readonly name?: string | undefined }
  | { readonly kind: 'disk'; readonly path: string; readonly cwd: string; readonly key?: string | undefined };

/** A checked model and its diagnostics. */
export interface CheckedModel {
  readonly files: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Tests that need the database; empty for a model with errors. */
  readonly tests: readonly ModelTest[];
  /** The connection of the model's SQL; null for a model that only compiles. */
  readonly connection: string | null;
}

/** Options of the translation to SQL; the connection determines those that are left out. */
interface CodegenOptions {
  /** Refuse semantic queries whose groups overlap. */
  readonly strict?: boolean | undefined;
  /** The reference time of relative dates such as `last 30 days`; left out: relative dates are not recognized. */
  readonly now?: Date | undefined;
}

/** The SQL of a semantic query, and its explanation (docs/reference/semantic-http.md#sql-of-a-semantic-query). */
export type CodegenBody = Pick<CompiledQuery, 'sql' | 'plan' | 'paths' | 'warnings'>;

/** The SQL of a statement of Semantic SQL, and its explanation (docs/reference/semantic-http.md#sql-of-statements). */
export type StatementBody = Omit<CompiledStatement, 'clock'>;

/** Semantic SQL statements, and the parameters that are substituted in them. */
export interface SemanticText {
  readonly source: Source;
  readonly params: Params;
}

/** The SQL of a semantic query, and the connection that runs it. */
export interface PreparedQuestion extends Pick<CodegenBody, 'sql' | 'warnings'> {
  readonly connection: string;
  readonly overrides: Readonly<Record<string, string>>;
  /** The default time limit of a run; null: that of the connection. */
  readonly timeoutMs: number | null;
}

/**
 * Operations on semantic models. Each throws an InputError for a model that has errors and never had a valid version, and
 * for a path on disk without a model; and a ServiceError.
 */
export interface SemanticApi {
  /** The metadata response (docs/reference/semantic-http.md#metadata-of-a-model). */
  metadata(target: ModelTarget): MetadataBody;
  /** The SQL of a semantic query, the `query` of a request (docs/reference/semantic-queries.md#form). */
  codegen(target: ModelTarget, query: unknown, options: CodegenOptions): CodegenBody;
  /**
   * Like `codegen`, for callers that run the SQL: on the connection behind a semantic one, else on that of the
   * project's environment, else on `duckdb`. Throws 422 for a semantic connection that only compiles.
   */
  prepare(target: ModelTarget, query: unknown, options: CodegenOptions): PreparedQuestion;
  /** The SQL of each statement of Semantic SQL. An InputError covers invalid statements, too. */
  codegenSql(
    target: ModelTarget,
    text: SemanticText,
    options: Pick<CodegenOptions, 'strict'>,
  ): Promise<readonly StatementBody[]>;
  /** Translates statements with the current model. Rejects with a DiagnosticError for a model with errors. */
  prepareTranslation(target: ModelTarget): Promise<Translate>;
  /** Lists what semantic queries can use of a model, an entity or a field (`entity.field`). */
  explore(target: ModelTarget, name: string | undefined): Exploration;
  /** Returns all diagnostics of a model. */
  check(target: ModelTarget): CheckedModel;
  /** Exports the model as an Apache Ossie document, with a list of what the format cannot express. */
  toOssie(target: ModelTarget): ExportedModel;
}
