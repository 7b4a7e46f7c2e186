import type { Translate } from '../../engine/connection/contract/translate.ts';
import { checkTexts, substituteParams } from '../../engine/script/params/params.ts';
import { DiagnosticError } from '../../engine/text/diagnostic.ts';
import { answerQuestion, type CompileOptions } from '../../semantic/compile/compile-query.ts';
import type { CompiledStatement } from '../../semantic/compile/compile-statement.ts';
import { SemanticError, semanticWarnings } from '../../semantic/errors.ts';
import { printOssie } from '../../semantic/export/print-ossie.ts';
import { exploreModel } from '../../semantic/metadata/explore-model.ts';
import { toMetadata } from '../../semantic/metadata/to-metadata.ts';
import type { ModelIndex } from '../../semantic/model/index/index-model.ts';
import type { ModelFile } from '../../semantic/model/load/model-file.ts';
import type { ModelPlaces } from '../../semantic/model/load/model-places.ts';
import { createModelRegistry, type ModelState } from '../../semantic/model/load/model-registry.ts';
import type { Layer, Model } from '../../semantic/model/model.ts';
import { readQuery } from '../../semantic/query/read-query.ts';
import { SemanticSqlError } from '../../semantic/syntax/semantic-sql-error.ts';
import { type ModelTest, planModelTests } from '../../semantic/tests/plan-model-tests.ts';
import { answerStatements } from '../../semantic/translate/answer-statements.ts';
import { runErrors } from '../api/errors.ts';
import type {
  CodegenBody,
  ModelTarget,
  PreparedQuestion,
  SemanticApi,
  SemanticText,
  StatementBody,
} from '../api/semantic-api.ts';
import { createPositionedError } from './create-positioned-error.ts';
import { toBody, toTranslation } from './to-translation.ts';

/** The connection that runs the SQL of a model. */
export type ModelRunner = Pick<PreparedQuestion, 'connection' | 'overrides' | 'timeoutMs'>;

/** The platforms of a model's layers. */
export interface LayerPlatforms {
  readonly layers: readonly Pick<Layer, 'name' | 'platform'>[];
}

/** The model of a target. */
export interface FoundModel {
  /** The id of its location. */
  readonly id: string;
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

/** The operations on semantic models that `find` resolves. */
export function createSemantic(find: (target: ModelTarget) => FoundModel): SemanticApi {
  const registry = createModelRegistry();
  const load = ({ id, listFiles }: FoundModel) => registry.load(id, listFiles());
  return {
    metadata(target) {
      const found = find(target);
      return toMetadata(getModel(found, load(found)).model);
    },
    codegen(target, query, { strict, now }) {
      const found = find(target);
      const model = getModel(found, load(found));
      return answer(model, query, { strict: strict ?? found.strict, now });
    },
    prepare(target, query, { strict, now }) {
      const found = find(target);
      const model = getModel(found, load(found));
      const runner = found.findRunner(model.model);
      const { sql, warnings } = answer(model, query, { strict: strict ?? found.strict, now });
      return { sql, warnings, ...runner };
    },
    async codegenSql(target, text, { strict }) {
      const found = find(target);
      return translate(getModel(found, load(found)), text, strict ?? found.strict);
    },
    prepareTranslation: async (target) => {
      const found = find(target);
      return createTranslate(getModel(found, load(found)), found.strict);
    },
    explore(target, name) {
      const found = find(target);
      const { index } = getModel(found, load(found));
      return withQuestion(() => exploreModel(index, name));
    },
    toOssie(target) {
      const found = find(target);
      return printOssie(getModel(found, load(found)).model);
    },
    check(target) {
      const found = find(target);
      const listed = found.listFiles();
      const { model, places, isCurrent, diagnostics } = registry.load(found.id, listed);
      const { connection } = found;
      const files = listed.length;
      if (model === null || places === null || !isCurrent)
        return { files, diagnostics, tests: [], connection };
      found.checkModel(model);
      return { files, diagnostics, tests: planTests(model, places), connection };
    },
  };
}

/** Returns no tests for a model with several platforms, because no connection can run them. */
function planTests(model: Model, places: ModelPlaces): readonly ModelTest[] {
  const [platform, ...others] = new Set(model.layers.map((layer) => layer.platform));
  if (platform === undefined || others.length > 0) return [];
  return planModelTests(model, places, platform);
}

interface UsableModel {
  readonly model: Model;
  readonly index: ModelIndex;
  readonly isCurrent: boolean;
}

function getModel(
  { checkModel }: FoundModel,
  { model, index, isCurrent, diagnostics }: ModelState,
): UsableModel {
  if (model === null || index === null) throw new DiagnosticError(diagnostics);
  checkModel(model);
  return { model, index, isCurrent };
}

function answer(
  { model, index, isCurrent }: UsableModel,
  given: unknown,
  options: Pick<CompileOptions, 'strict' | 'now'>,
): CodegenBody {
  return withQuestion(() => {
    const query = readQuery(given);
    const { sql, plan, paths, warnings } = answerQuestion({ model, index }, query, options);
    return { sql, plan, paths, warnings: isCurrent ? warnings : [semanticWarnings.stale(), ...warnings] };
  });
}

/** Converts errors of a semantic query to those of the interface. */
function withQuestion<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SemanticError) throw runErrors.question(error);
    throw error;
  }
}

async function translate(
  { model, index, isCurrent }: UsableModel,
  { source, params }: SemanticText,
  strict: boolean,
): Promise<readonly StatementBody[]> {
  const rendered = substituteParams(source, params);
  checkTexts(rendered);
  const { prepareParser } = await import('../../semantic/syntax/parse-statements.ts');
  const parse = await prepareParser();
  try {
    const statements = answerStatements({ model, index }, parse(rendered.text), { strict });
    return (isCurrent ? statements : statements.map(addStale)).map(toBody);
  } catch (error) {
    throw error instanceof SemanticSqlError ? createPositionedError(rendered, error) : error;
  }
}

/** Translates the statements of a run, which starts now. */
async function createTranslate(model: UsableModel, strict: boolean): Promise<Translate> {
  const now = new Date();
  const { prepareParser } = await import('../../semantic/syntax/parse-statements.ts');
  const parse = await prepareParser();
  return async (statement) => {
    try {
      const answered = answerStatements(model, parse(statement), { strict, now });
      return toTranslation(model.isCurrent ? answered : answered.map(addStale));
    } catch (error) {
      if (!(error instanceof SemanticSqlError)) throw error;
      const { span, message } = error;
      return { status: 'refused', span, message };
    }
  };
}

function addStale(statement: CompiledStatement): CompiledStatement {
  return { ...statement, warnings: [semanticWarnings.stale(), ...statement.warnings] };
}
