import { connectionErrors } from '../../connections/errors.ts';
import type { SemanticApi } from '../api/semantic-api.ts';
import { findDiskModel } from './find-disk-model.ts';
import { createSemantic } from './semantic.ts';

/** The semantic models on disk, without a home and its connections. */
export function openDiskModels(): SemanticApi {
  const refuse = (): never => {
    throw connectionErrors.noModel();
  };
  return createSemantic((target) => (target.kind === 'disk' ? findDiskModel(target, refuse) : refuse()));
}
