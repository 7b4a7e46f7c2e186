import { ServiceError } from '../../errors/service-error.ts';
import { suggest } from '../../workspace/api/suggest.ts';
import type { WorkspaceApi } from '../../workspace/api/workspace-api.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { splitPath } from './find-item.ts';

/** For a catalog path that does not exist, the error with a similar name from its folder; else the error itself. */
export async function suggestPath({ catalog }: WorkspaceApi, error: unknown): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'path_not_found') return error;
  const path = error.detail.replace('Path not found: ', '');
  const { parent, name } = splitPath(path);
  try {
    const { data } = await catalog.list(parent === '' ? undefined : parent);
    const names = data.map((entry) => entry.name);
    // An existing namespace is not suggested; some requests do not accept it.
    const near = names.includes(name) ? undefined : suggest(name, names);
    return near === undefined
      ? error
      : new UsageError(error.detail, EXIT.failed, `did you mean \`${near}\`?`);
  } catch {
    return error;
  }
}
