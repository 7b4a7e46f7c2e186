import { connectionErrors } from '../../connections/errors.ts';
import { createSemantic } from './semantic.ts';
import type { SemanticApi } from './semantic-api.ts';

/** The semantic models on disk, without a home and its connections. */
export function openDiskModels(): SemanticApi {
  return createSemantic(() => {
    throw connectionErrors.noModel();
  });
}
