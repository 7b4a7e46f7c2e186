import type { Translate } from '../../engine/connection/contract/translate.ts';
import { checkTexts, substituteParams } from '../../engine/script/params/params.ts';
import { DiagnosticError } from '../../engine/text/diagnostic.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { elementAt, notNull } from '../../invariants/must.ts';
import { SemanticError, semanticWarnings } from '../../semantic/errors.ts';
import type { SemanticQuery } from '../../semantic/query/query.ts';
import { readQuery } from '../../semantic/query/read-query.ts';
import { runErrors } from '../api/errors.ts';
import type { SemanticText, StatementBody } from '../api/semantic-api.ts';
import { createAdmission } from '../limits/admission.ts';
import type { Services } from '../services/services.ts';
import { ThreadError } from '../threads/thread.ts';
import { createPositionedError } from './create-positioned-error.ts';
import { createModelFinder } from './find-connection-model.ts';
import type { QuestionSql } from './model-calls.ts';
import type { FoundModel } from './semantic.ts';
import {
  createServedModels,
  MODEL_LIMITS,
  type ModelLimits,
  type ModelQuestion,
  type ServedModel,
  type ServedModels,
} from './served-models.ts';
import { toBody, toTranslation } from './to-translation.ts';

/**
 * A semantic query; without a connection, it uses the only semantic one
 * (docs/reference/semantic-http.md#sql-of-a-semantic-query).
 */
interface ServedQuestion {
  readonly connection: string | undefined;
  /** The `query` of a request (docs/reference/semantic-queries.md#form). */
  readonly query: unknown;
  /** Whether overlapping groups are refused even if the connection allows them. */
  readonly strict: boolean;
  /** Whether the answer has an explanation. */
  readonly explain: boolean;
}

/** Semantic SQL statements, with the options of a semantic query. */
interface ServedText extends Pick<ServedQuestion, 'connection' | 'strict'> {
  readonly text: SemanticText;
}

/** The semantic models of a server, for concurrent callers; operations of a principal reject with a ServiceError. */
export interface ServedSemantic {
  /** The metadata response of a connection (docs/reference/semantic-http.md#metadata-of-a-model), as JSON. */
  metadata(principal: Principal, connection: string): Promise<Uint8Array>;
  codegen(principal: Principal, question: ServedQuestion): Promise<QuestionSql>;
  /** The SQL of each statement of Semantic SQL. */
  codegenSql(principal: Principal, text: ServedText): Promise<readonly StatementBody[]>;
  /** Translates statements with the current model of a connection, for execution on the connection behind it. */
  prepareTranslation(principal: Principal, connection: string): Promise<Translate>;
  /** Starts to load the statement parser in advance. */
  warm(): void;
  close(): Promise<void>;
}

/** Options of served models. */
export interface SemanticOptions {
  /** Receives warnings for the operator about models with errors. */
  readonly warn: (line: string) => void;
  /** The default connection; undefined: the only one that the principal may use. */
  readonly defaultConnection?: string | undefined;
  readonly limits?: ModelLimits | undefined;
}

/** The models of the connections of a home. */
export function createServedSemantic(
  services: Pick<Services, 'catalog' | 'connections'>,
  { warn, defaultConnection, limits = MODEL_LIMITS }: SemanticOptions,
): ServedSemantic {
  const models = createServedModels(limits);
  const admission = createAdmission();
  const reported = new WeakSet<ServedModel>();

  async function load(found: FoundModel, caller: string): Promise<ServedModel> {
    const model = await orRefuse(() => models.load(found, caller));
    if (model.errors !== null && !reported.has(model)) {
      reported.add(model);
      const effect = model.valid === null ? '' : '; the last valid version stays in use';
      warn(`a semantic model has errors${effect}: ${firstLine(model.errors)}`);
    }
    if (model.valid === null) throw runErrors.modelInvalid(model.errors ?? '');
    found.checkModel(model.valid);
    return model;
  }

  async function ask(found: FoundModel, question: ModelQuestion, caller: string): Promise<QuestionSql> {
    const model = await load(found, caller);
    const answer = await orRefuse(() => models.ask(model, question, caller));
    if (answer.status === 'failed') throw runErrors.question(answer.error);
    return model.errors === null ? answer.answer : addWarning(answer.answer);
  }

  async function askSql(
    found: FoundModel,
    { text, strict }: { readonly text: SemanticText; readonly strict: boolean },
    caller: string,
  ): Promise<readonly StatementBody[]> {
    const model = await load(found, caller);
    const rendered = substituteParams(text.source, text.params);
    checkTexts(rendered);
    const statements = { text: rendered.text, strict: strict || found.strict, now: new Date() };
    const answer = await orRefuse(() => models.askSql(model, statements, caller));
    if (answer.status === 'refused') throw createPositionedError(rendered, answer);
    return (model.errors === null ? answer.statements : answer.statements.map(addWarning)).map(toBody);
  }

  function find(principal: Principal, name: string | undefined): FoundModel {
    return createModelFinder(services, principal, () => defaultConnection)({ kind: 'connection', name });
  }

  return {
    async metadata(principal, connection) {
      const { userId } = principal;
      const found = find(principal, connection);
      const model = await admission.run(userId, () => load(found, userId));
      return notNull(model.valid).metadata;
    },
    async codegen(principal, { connection, query, ...how }) {
      const { userId } = principal;
      const read = readQuestion(query);
      const found = find(principal, connection);
      const question = { ...how, query: read, strict: how.strict || found.strict };
      return admission.run(userId, () => ask(found, question, userId));
    },
    async codegenSql(principal, { connection, text, strict }) {
      const { userId } = principal;
      const found = find(principal, connection);
      return withServiceErrors(() => admission.run(userId, () => askSql(found, { text, strict }, userId)));
    },
    async prepareTranslation(principal, connection) {
      const { userId } = principal;
      const found = find(principal, connection);
      const model = await admission.run(userId, () => load(found, userId));
      return createTranslate(models, model, found, userId);
    },
    warm: () => void models.warm().catch(() => undefined),
    close: () => models.close(),
  };
}

const STOPPING = 'the server is stopping';
const TOO_LARGE = 'the statement is too large to be translated to SQL: split it';

/** Translates the statements of a caller's run, which starts now, with one version of a model. */
function createTranslate(
  models: ServedModels,
  model: ServedModel,
  { strict }: FoundModel,
  caller: string,
): Translate {
  const now = new Date();
  return async (text, signal) => {
    try {
      const answer = await models.askSql(model, { text, strict, now }, caller, signal);
      if (answer.status === 'refused') return answer;
      return toTranslation(model.errors === null ? answer.statements : answer.statements.map(addWarning));
    } catch (error) {
      if (!(error instanceof ThreadError) || error.code === 'cancelled') throw error;
      const message = error.code === 'closed' ? STOPPING : TOO_LARGE;
      return { status: 'refused', span: { start: 0, end: 0 }, message };
    }
  };
}

function readQuestion(query: unknown): SemanticQuery {
  try {
    return readQuery(query);
  } catch (error) {
    throw error instanceof SemanticError ? runErrors.question(error) : error;
  }
}

function addWarning<Answer extends Pick<QuestionSql, 'warnings'>>(answer: Answer): Answer {
  const { warnings } = answer;
  return warnings === undefined ? answer : { ...answer, warnings: [semanticWarnings.stale(), ...warnings] };
}

/** Converts an error with a position to an error of the interface. */
async function withServiceErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DiagnosticError ? runErrors.statementRefused(error.message) : error;
  }
}

const THREAD_ERRORS = {
  late: runErrors.questionTooLarge,
  lost: runErrors.questionTooLarge,
  closed: runErrors.modelsClosed,
  // Semantic queries are not cancelled.
  cancelled: runErrors.modelsClosed,
} satisfies Record<ThreadError['code'], () => Error>;

async function orRefuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    throw THREAD_ERRORS[error.code]();
  }
}

function firstLine(text: string): string {
  return elementAt(text.split('\n', 1), 0);
}
