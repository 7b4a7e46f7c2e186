import { listModelFiles } from '../../semantic/model/load/list-model-files.ts';
import type { ModelTarget } from '../api/semantic-api.ts';
import type { FoundModel } from './semantic.ts';

/** A model on disk. */
export type DiskTarget = Extract<ModelTarget, { kind: 'disk' }>;

/** The model of a path on disk. */
export function findDiskModel(target: DiskTarget, findRunner: FoundModel['findRunner']): FoundModel {
  const { path, cwd, key = '' } = target;
  const id = JSON.stringify([path, cwd, key]);
  return {
    id,
    listFiles: () => listModelFiles(target),
    checkModel: () => {},
    strict: false,
    connection: null,
    findRunner,
  };
}
