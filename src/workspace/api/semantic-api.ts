import type { Translate } from '../../engine/connection/contract/translate.ts';
import type { Params } from '../../engine/script/params/params.ts';
import type { Diagnostic } from '../../engine/text/diagnostic.ts';
import type { Source } from '../../engine/text/source.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import type { CompiledQuery } from '../../semantic/compile/compile-query.ts';
import type { CompiledStatement } from '../../semantic/compile/compile-statement.ts';
import type { ExportedModel } from '../../semantic/export/print-ossie.ts';
import type { Exploration } from '../../semantic/metadata/explore-model.ts';
import type { ModelTest } from '../../semantic/tests/plan-model-tests.ts';

/**
 * The semantic model of a connection, or without a name, of the only semantic connection
 * (docs/reference/semantic-http.md#sql-of-a-semantic-query).
 */
export interface ConnectionTarget {
  readonly kind: 'connection';
  readonly name?: string | undefined;
}

/** A model on disk, by its path from `cwd` and its key in a project. */
export interface DiskTarget {
  readonly kind: 'disk';
  readonly path: string;
  readonly cwd: string;
  readonly key?: string | undefined;
}

/** The model of an operation; only commands use models on disk. */
export type ModelTarget = ConnectionTarget | DiskTarget;

/** A checked model and its diagnostics. */
export interface CheckedModel {
  /** Whether it is in the catalog. */
  readonly isStored: boolean;
  readonly files: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Tests that need the database; empty for a model with errors. */
  readonly tests: readonly ModelTest[];
  /** The connection of the model's SQL; null for a model that only compiles. */
  readonly connection: string | null;
}

/** A semantic query and the options of its translation to SQL. */
export interface SemanticQuestion {
  /** The `query` of a request (docs/reference/semantic-queries.md#form). */
  readonly query: unknown;
  /** Whether overlapping groups are refused even if the connection allows them. */
  readonly strict: boolean;
  /** The reference time of relative dates such as `last 30 days`; left out: relative dates are not recognized. */
  readonly now?: Date | undefined;
}

/** The SQL of a semantic query, and its explanation (docs/reference/semantic-http.md#sql-of-a-semantic-query). */
type CodegenBody = Pick<CompiledQuery, 'sql' | 'plan' | 'paths' | 'warnings'>;

/** The SQL of a semantic query; `plan` and `paths` if they are requested. */
export type QuestionSql = Pick<CodegenBody, 'sql' | 'warnings'> & Partial<CodegenBody>;

/** The SQL of a statement of Semantic SQL, and its explanation (docs/reference/semantic-http.md#sql-of-statements). */
type StatementBody = Omit<CompiledStatement, 'clock'>;

/** Semantic SQL statements, and the parameters that are substituted in them. */
interface SemanticText {
  readonly source: Source;
  readonly params: Params;
}

/** The SQL of a semantic query, and the connection that runs it: a semantic one, or that of a model on disk. */
export interface PreparedQuestion extends Pick<CodegenBody, 'sql' | 'warnings'> {
  readonly connection: string;
  /** The connection of the database. */
  readonly database: string;
  readonly overrides: Readonly<Record<string, string>>;
}

/**
 * Operations on semantic models. Each rejects with a ServiceError, and in a command, with an InputError for a model that
 * has errors and never had a valid version, for a path on disk without a model, and for an invalid statement.
 */
export interface SemanticService<Target extends ModelTarget> {
  /** The metadata response (docs/reference/semantic-http.md#metadata-of-a-model), as JSON. */
  metadata(principal: Principal, target: Target): Promise<Uint8Array>;
  /** The SQL of a semantic query; `explain`: with its plan and paths. */
  codegen(
    principal: Principal,
    target: Target,
    question: SemanticQuestion & { readonly explain: boolean },
  ): Promise<QuestionSql>;
  /**
   * Like `codegen`, for callers that run the SQL: on the connection behind a semantic one, else on that of the
   * project's environment, else on `duckdb`. Rejects with 422 for a semantic connection that only compiles.
   */
  prepare(principal: Principal, target: Target, question: SemanticQuestion): Promise<PreparedQuestion>;
  /** The SQL of each statement of Semantic SQL. */
  codegenSql(
    principal: Principal,
    target: Target,
    text: SemanticText & Pick<SemanticQuestion, 'strict'>,
  ): Promise<readonly StatementBody[]>;
  /** Translates the statements of a run, which starts now, with the current model. */
  prepareTranslation(principal: Principal, target: Target): Promise<Translate>;
}

/** Operations of commands, which read models in their process. They throw what the others reject with. */
export interface SemanticApi extends SemanticService<ModelTarget> {
  /** Lists what semantic queries can use of a model, an entity or a field (`entity.field`). */
  explore(principal: Principal, target: ModelTarget, name: string | undefined): Exploration;
  /** Returns all diagnostics of a model. */
  check(principal: Principal, target: ModelTarget): CheckedModel;
  /** Exports the model as an Apache Ossie document, with a list of what the format cannot express. */
  toOssie(principal: Principal, target: ModelTarget): ExportedModel;
}
