import { connectionErrors } from '../../connections/errors.ts';
import { DiagnosticError } from '../../engine/text/diagnostic.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { printOssie } from '../../semantic/export/print-ossie.ts';
import { exploreModel } from '../../semantic/metadata/explore-model.ts';
import type { AskedModel } from '../../semantic/model/index/index-model.ts';
import { createModelRegistry } from '../../semantic/model/load/model-registry.ts';
import type { ModelPlaces } from '../../semantic/model/load/read-model.ts';
import type { Model } from '../../semantic/model/model.ts';
import { type ModelTest, planModelTests } from '../../semantic/tests/plan-model-tests.ts';
import type { ModelTarget, SemanticApi } from '../api/semantic-api.ts';
import { findDiskModel } from './find-disk-model.ts';
import { printMetadata, queryModel, translateStatements } from './query-model.ts';
import {
  createSemantic,
  type FindSource,
  type LoadedModel,
  type ModelSource,
  withQuestion,
} from './semantic.ts';

/** A model that this process has read. */
interface LocalModel extends LoadedModel, AskedModel {}

/** The semantic models of a command, which are read in its process. */
export function createLocalSemantic(find: FindSource): SemanticApi {
  const registry = createModelRegistry();

  function load({ id, listFiles }: Pick<ModelSource, 'id' | 'listFiles'>): LocalModel {
    const { model, index, isCurrent, diagnostics } = registry.load(id, listFiles());
    if (model === null || index === null) throw new DiagnosticError(diagnostics);
    return {
      model,
      index,
      isCurrent,
      layers: model.layers,
      get metadata() {
        return printMetadata(model);
      },
    };
  }

  function findModel(principal: Principal, target: ModelTarget): LocalModel {
    const source = find(principal, target);
    const model = load(source);
    source.checkModel(model);
    return model;
  }

  return {
    ...createSemantic<LocalModel>(find, {
      admit: (_caller, work) => work(),
      load: async (source) => load(source),
      ask: async (model, question) => queryModel(model, question),
      askSql: translateStatements,
      toRefusal: (error) => error,
    }),
    explore(principal, target, name) {
      const { index } = findModel(principal, target);
      return withQuestion(() => exploreModel(index, name));
    },
    toOssie: (principal, target) => printOssie(findModel(principal, target).model),
    check(principal, target) {
      const { id, isStored, listFiles, checkModel, connection } = find(principal, target);
      const listed = listFiles();
      const { model, places, isCurrent, diagnostics } = registry.load(id, listed);
      const files = listed.length;
      if (model === null || places === null || !isCurrent)
        return { isStored, files, diagnostics, tests: [], connection };
      checkModel(model);
      return { isStored, files, diagnostics, tests: planTests(model, places), connection };
    },
  };
}

/** The semantic models on disk, without a home and its connections. */
export function openDiskModels(): SemanticApi {
  const refuse = (): never => {
    throw connectionErrors.noModel();
  };
  return createLocalSemantic((_, target) =>
    target.kind === 'disk' ? findDiskModel(target, refuse) : refuse(),
  );
}

/** Returns no tests for a model with several platforms, because no connection can run them. */
function planTests(model: Model, places: ModelPlaces): readonly ModelTest[] {
  const [platform, ...others] = new Set(model.layers.map((layer) => layer.platform));
  if (platform === undefined || others.length > 0) return [];
  return planModelTests(model, places, platform);
}
