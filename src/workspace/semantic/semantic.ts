import { DiagnosticError } from '../../engine/text/diagnostic.ts';
import { NoModelError } from '../../semantic/choose-model.ts';
import { compileQuery } from '../../semantic/compile-query.ts';
import { SemanticError, semanticWarnings } from '../../semantic/errors.ts';
import { findDialect, isDialect } from '../../semantic/find-dialect.ts';
import type { ModelIndex } from '../../semantic/index-model.ts';
import { listModelFiles } from '../../semantic/list-model-files.ts';
import type { Model } from '../../semantic/model.ts';
import type { ModelFile } from '../../semantic/model-file.ts';
import { createModelRegistry, type ModelState } from '../../semantic/model-registry.ts';
import { type ModelTest, planModelTests } from '../../semantic/plan-model-tests.ts';
import { readQuery } from '../../semantic/read-query.ts';
import { toMetadata } from '../../semantic/to-metadata.ts';
import { runErrors } from '../errors.ts';
import type { ScriptOutcome } from '../scripts.ts';
import type { CodegenBody, ModelTarget, SemanticApi } from './semantic-api.ts';

/** The model that a target stands for. */
interface FoundModel {
  /** Of the place where it is. */
  readonly id: string;
  readonly files: readonly ModelFile[];
  /** Throws a ServiceError for a model that does not fit its connection. */
  readonly checkModel: (model: Model) => void;
  /** Whether questions whose groups overlap are refused. */
  readonly strict: boolean;
  /** On which its SQL runs; null for none. */
  readonly connection: string | null;
}

/** Finds the model of a semantic connection. */
export type FindByConnection = (name: string | undefined) => FoundModel;

/** Semantic models, those of connections being found by `findByConnection`. */
export function createSemantic(findByConnection: FindByConnection): SemanticApi {
  const registry = createModelRegistry();
  const find = (target: ModelTarget) =>
    target.kind === 'connection' ? findByConnection(target.name) : findOnDisk(target);
  const load = ({ id, files }: FoundModel) => registry.load(id, files);
  return {
    metadata: (target) =>
      settle(() => {
        const found = find(target);
        return toMetadata(getModel(found, load(found)).model);
      }),
    codegen: (target, query, { strict }) =>
      settle(() => {
        const found = find(target);
        const model = getModel(found, load(found));
        return answer(model, query, strict ?? found.strict);
      }),
    check: (target) =>
      settle(() => {
        const found = find(target);
        const { model, isCurrent, diagnostics } = load(found);
        const { connection } = found;
        const files = found.files.length;
        if (model === null || !isCurrent) return { files, diagnostics, tests: [], connection };
        found.checkModel(model);
        return { files, diagnostics, tests: planTests(model), connection };
      }),
  };
}

function findOnDisk(target: Extract<ModelTarget, { kind: 'disk' }>): FoundModel {
  const { path, cwd, key = '' } = target;
  const id = JSON.stringify([path, cwd, key]);
  return { id, files: listModelFiles(target), checkModel: () => {}, strict: false, connection: null };
}

/** A platform without a dialect has no tests yet. */
function planTests(model: Model): readonly ModelTest[] {
  const [platform, ...others] = new Set(model.layers.map((layer) => layer.platform));
  if (platform === undefined || others.length > 0 || !isDialect(platform)) return [];
  return planModelTests(model, platform);
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

/** What is wrong with a question is told as the interface has it. */
function answer({ model, index, isCurrent }: UsableModel, given: unknown, strict: boolean): CodegenBody {
  try {
    const query = readQuery(given);
    const { sql, plan, paths, warnings } = compileQuery(index, query, {
      dialect: findDialect(model, query),
      strict,
    });
    return { sql, plan, paths, warnings: isCurrent ? warnings : [semanticWarnings.stale(), ...warnings] };
  } catch (error) {
    if (error instanceof SemanticError) throw runErrors.question(error);
    throw error;
  }
}

function settle<T>(work: () => T): ScriptOutcome<T> {
  try {
    return { status: 'done', value: work() };
  } catch (error) {
    if (error instanceof NoModelError) {
      return { status: 'failed', code: 'usage', message: error.message, diagnostics: [] };
    }
    if (error instanceof DiagnosticError) {
      const { message, diagnostics } = error;
      return { status: 'failed', code: 'script', message, diagnostics };
    }
    throw error;
  }
}
