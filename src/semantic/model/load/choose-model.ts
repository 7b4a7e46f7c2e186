import type { Manifest, SemanticModel } from '../../../engine/project/manifest.ts';
import { modelFaults } from '../model-faults.ts';

/** There is no model where one should be; the message says so in one sentence. */
export class NoModelError extends Error {}

/** The model of a project that a key names, or that is the only or the default one (language 1). Throws a NoModelError. */
export function chooseModel({ semantic }: Manifest, key: string | undefined, project: string): SemanticModel {
  const keys = [...semantic.byKey.keys()];
  const chosen = key ?? semantic.default ?? (keys.length === 1 ? keys[0] : undefined);
  if (chosen === undefined) throw new NoModelError(modelFaults.severalModels(project, keys));
  const model = semantic.byKey.get(chosen);
  if (model === undefined) throw new NoModelError(modelFaults.unknownModel(project, chosen, keys));
  return model;
}
