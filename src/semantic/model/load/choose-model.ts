import type { Manifest, SemanticModel } from '../../../engine/project/manifest.ts';
import { InputError } from '../../../errors/input-error.ts';
import { modelMessages } from '../model-messages.ts';

/** A missing model; the message is one sentence. */
export class NoModelError extends InputError {
  constructor(message: string, kind: 'usage' | 'missing' = 'usage') {
    super(kind, message);
  }
}

/**
 * Chooses the model of a project: the named, the only or the default one
 * (docs/reference/semantic-model.md#several-files). Throws a NoModelError.
 */
export function chooseModel({ semantic }: Manifest, key: string | undefined, project: string): SemanticModel {
  const keys = [...semantic.byKey.keys()];
  const chosen = key ?? semantic.default ?? (keys.length === 1 ? keys[0] : undefined);
  if (chosen === undefined) throw new NoModelError(modelMessages.severalModels(project, keys));
  const model = semantic.byKey.get(chosen);
  if (model === undefined) throw new NoModelError(modelMessages.unknownModel(project, chosen, keys));
  return model;
}
