import { listModelFiles } from '../../semantic/model/load/list-model-files.ts';
import type { DiskTarget } from '../api/semantic-api.ts';
import type { ModelSource } from './semantic.ts';

/** The model of a path on disk. */
export function findDiskModel(target: DiskTarget, findRunner: ModelSource['findRunner']): ModelSource {
  const { path, cwd, key = '' } = target;
  const id = JSON.stringify([path, cwd, key]);
  return {
    id,
    isStored: false,
    listFiles: () => listModelFiles(target),
    checkModel: () => {},
    strict: false,
    connection: null,
    findRunner,
  };
}
