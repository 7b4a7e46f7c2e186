// The operations on semantic models, for commands and for servers. A command reads and queries models in its process
// (`local-models.ts`), a server in separate ones (`served-models.ts`).

import type { Translate, Translation } from '../../engine/connection/contract/translate.ts';
import {
  checkTexts,
  type Rendered,
  substituteParams,
  toOriginalSpan,
} from '../../engine/script/params/params.ts';
import { createDiagnostic, DiagnosticError } from '../../engine/text/diagnostic.ts';
import type { Span } from '../../engine/text/span.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { elementAt } from '../../invariants/must.ts';
import type { CompiledStatement } from '../../semantic/compile/compile-statement.ts';
import { SemanticError, semanticWarnings } from '../../semantic/errors.ts';
import type { ModelFile } from '../../semantic/model/load/list-model-files.ts';
import type { Layer } from '../../semantic/model/model.ts';
import type { SemanticQuery } from '../../semantic/query/query.ts';
import { readQuery } from '../../semantic/query/read-query.ts';
import { runErrors } from '../api/errors.ts';
import type {
  ModelTarget,
  PreparedQuestion,
  QuestionSql,
  SemanticQuestion,
  SemanticService,
} from '../api/semantic-api.ts';

/** The connection that runs the SQL of a model. */
export type ModelRunner = Pick<PreparedQuestion, 'connection' | 'database' | 'overrides'>;

/** The platforms of a model's layers. */
export interface LayerPlatforms {
  readonly layers: readonly Pick<Layer, 'name' | 'platform'>[];
}

/** The files of a model, and what its connection allows. */
export interface ModelSource {
  /** The id of its location. */
  readonly id: string;
  /** Whether it is in the catalog. */
  readonly isStored: boolean;
  /** Throws like `listModelFiles`, or a ServiceError. */
  readonly listFiles: () => readonly ModelFile[];
  /** Throws a ServiceError for a model that does not fit its connection. */
  readonly checkModel: (model: LayerPlatforms) => void;
  /** Whether semantic queries whose groups overlap are refused. */
  readonly strict: boolean;
  /** The connection of the model; null without one. */
  readonly connection: string | null;
  /** Throws a ServiceError where the SQL cannot run. */
  readonly findRunner: (model: LayerPlatforms) => ModelRunner;
}

/** Finds the model of a target that a principal may use. Throws a ServiceError. */
export type FindSource = (principal: Principal, target: ModelTarget) => ModelSource;

/** A valid version of a model. */
export interface LoadedModel extends LayerPlatforms {
  /** False for the last valid version of a model whose current files have errors. */
  readonly isCurrent: boolean;
  /** The metadata response (docs/reference/semantic-http.md#metadata-of-a-model), as JSON. */
  readonly metadata: Uint8Array;
}

/** A semantic query on a model. */
export interface ModelQuestion extends Omit<SemanticQuestion, 'query'> {
  readonly query: SemanticQuery;
  /** Whether the answer has the plan and the paths. */
  readonly explain: boolean;
}

export type QuestionAnswer =
  | { readonly status: 'done'; readonly answer: QuestionSql }
  | { readonly status: 'failed'; readonly error: Pick<SemanticError, 'kind' | 'code' | 'message' | 'hint'> };

/** Statements of Semantic SQL on a model. */
export interface ModelStatements {
  readonly text: string;
  readonly strict: boolean;
  /** The start of the run. */
  readonly now: Date;
}

/** `refused` has a position in the text. */
export type StatementsAnswer =
  | { readonly status: 'done'; readonly statements: readonly CompiledStatement[] }
  | {
      readonly status: 'refused';
      readonly span: Span;
      readonly message: string;
      /** Whether the statement cannot be parsed. */
      readonly isSyntax: boolean;
    };

/** Where models are read and queried. `caller` is the id of the user. */
export interface Models<Model extends LoadedModel> {
  /** Runs an operation of a caller; rejects with a ServiceError if too many are running. */
  admit<T>(caller: string, work: () => Promise<T>): Promise<T>;
  /**
   * Reads a model if its files have changed; a model with errors keeps its last valid version, unless all its files were
   * deleted. Rejects with an error of `listFiles`, and for a model without a valid version.
   */
  load(source: Pick<ModelSource, 'id' | 'listFiles'>, caller: string): Promise<Model>;
  /** Rejects with a ServiceError for a semantic query that is too large. */
  ask(model: Model, question: ModelQuestion, caller: string): Promise<QuestionAnswer>;
  /** Like `ask`, for statements of Semantic SQL; `signal` withdraws them. */
  askSql(
    model: Model,
    statements: ModelStatements,
    caller: string,
    signal?: AbortSignal,
  ): Promise<StatementsAnswer>;
  /** The error of an operation for a statement that is refused. */
  toRefusal(error: DiagnosticError): Error;
}

/** The operations on the models that `find` finds and `models` reads. */
export function createSemantic<Model extends LoadedModel>(
  find: FindSource,
  models: Models<Model>,
): SemanticService<ModelTarget> {
  /** Calls `use` with the current model, unless the caller has too many operations. */
  function withModel<T>(
    { userId }: Principal,
    source: ModelSource,
    use: (model: Model) => T | Promise<T>,
  ): Promise<T> {
    return models.admit(userId, async () => {
      const model = await models.load(source, userId);
      source.checkModel(model);
      return use(model);
    });
  }

  async function ask(model: Model, question: ModelQuestion, caller: string): Promise<QuestionSql> {
    const answer = await models.ask(model, question, caller);
    if (answer.status === 'failed') throw runErrors.question(answer.error);
    return addWarning(model, answer.answer);
  }

  return {
    metadata: async (principal, target) =>
      withModel(principal, find(principal, target), ({ metadata }) => metadata),
    async codegen(principal, target, { query, strict, ...options }) {
      const question = { ...options, query: withQuestion(() => readQuery(query)) };
      const source = find(principal, target);
      return withModel(principal, source, (model) =>
        ask(model, { ...question, strict: strict || source.strict }, principal.userId),
      );
    },
    async prepare(principal, target, { query, strict, now }) {
      const question = { query: withQuestion(() => readQuery(query)), now, explain: false };
      const source = find(principal, target);
      return withModel(principal, source, async (model) => {
        const runner = source.findRunner(model);
        const answer = await ask(model, { ...question, strict: strict || source.strict }, principal.userId);
        return { ...answer, ...runner };
      });
    },
    async codegenSql(principal, target, { source: original, params, strict }) {
      const source = find(principal, target);
      return withModel(principal, source, async (model) => {
        const rendered = substituteParams(original, params);
        checkTexts(rendered);
        const statements = { text: rendered.text, strict: strict || source.strict, now: new Date() };
        const answer = await models.askSql(model, statements, principal.userId);
        if (answer.status === 'refused') throw models.toRefusal(createPositionedError(rendered, answer));
        return answer.statements.map((statement) => {
          const { sql, plans, paths, warnings } = addWarning(model, statement);
          return { sql, plans, paths, warnings };
        });
      });
    },
    async prepareTranslation(principal, target) {
      const source = find(principal, target);
      return withModel(principal, source, (model) => {
        const options = { strict: source.strict, now: new Date() };
        return createTranslate(model, (text, signal) =>
          models.askSql(model, { text, ...options }, principal.userId, signal),
        );
      });
    },
  };
}

/** Converts errors of a semantic query to those of the interface. */
export function withQuestion<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof SemanticError ? runErrors.question(error) : error;
  }
}

const STOPPING = 'the server is stopping';
const TOO_LARGE = 'the statement is too large to be translated to SQL: split it';

/** Translates the statements of a run with one version of a model. */
function createTranslate(
  model: LoadedModel,
  askSql: (text: string, signal: AbortSignal) => Promise<StatementsAnswer>,
): Translate {
  return async (text, signal) => {
    try {
      const answer = await askSql(text, signal);
      return answer.status === 'refused' ? answer : toTranslation(model, answer.statements);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const message = error.status === 503 ? STOPPING : TOO_LARGE;
      return { status: 'refused', span: { start: 0, end: 0 }, message, isSyntax: false };
    }
  };
}

/** The translation of a single statement. */
function toTranslation(model: LoadedModel, statements: readonly CompiledStatement[]): Translation {
  if (statements.length > 1) throw new Error('expected one statement, got several');
  const { sql, warnings, clock } = addWarning(model, elementAt(statements, 0));
  return { status: 'done', sql, warnings, clock };
}

function addWarning<Answer extends Pick<QuestionSql, 'warnings'>>(
  { isCurrent }: LoadedModel,
  answer: Answer,
): Answer {
  return isCurrent ? answer : { ...answer, warnings: [semanticWarnings.stale(), ...answer.warnings] };
}

/** Maps an error to its position in the author's source. */
function createPositionedError(
  rendered: Rendered,
  { span, message }: { readonly span: Span; readonly message: string },
): DiagnosticError {
  return new DiagnosticError([
    createDiagnostic(rendered.source, toOriginalSpan(rendered, span), message, 'sql'),
  ]);
}
