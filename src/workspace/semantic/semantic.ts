import { DiagnosticError } from '../../engine/text/diagnostic.ts';
import { NoModelError } from '../../semantic/choose-model.ts';
import { listModelFiles } from '../../semantic/list-model-files.ts';
import type { Model } from '../../semantic/model.ts';
import type { ModelFile } from '../../semantic/model-file.ts';
import { createModelRegistry, type ModelState } from '../../semantic/model-registry.ts';
import { toMetadata } from '../../semantic/to-metadata.ts';
import type { ScriptOutcome } from '../scripts.ts';
import type { ModelTarget, SemanticApi } from './semantic-api.ts';

/** The model that a target stands for. */
export interface FoundModel {
  /** Of the place where it is. */
  readonly id: string;
  readonly files: readonly ModelFile[];
  /** Throws a ServiceError for a model that does not fit its connection. */
  readonly checkModel: (model: Model) => void;
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
        return toMetadata(getModel(found, load(found)));
      }),
    check: (target) =>
      settle(() => {
        const found = find(target);
        const { model, isCurrent, diagnostics } = load(found);
        if (model !== null && isCurrent) found.checkModel(model);
        return { files: found.files.length, diagnostics };
      }),
  };
}

function findOnDisk(target: Extract<ModelTarget, { kind: 'disk' }>): FoundModel {
  const { path, cwd, key = '' } = target;
  return { id: JSON.stringify([path, cwd, key]), files: listModelFiles(target), checkModel: () => {} };
}

function getModel({ checkModel }: FoundModel, { model, diagnostics }: ModelState): Model {
  if (model === null) throw new DiagnosticError(diagnostics);
  checkModel(model);
  return model;
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
