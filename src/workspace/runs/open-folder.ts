import { createLocalLoader } from '../../engine/project/local-loader.ts';
import type { ScriptsApi } from '../api/scripts-api.ts';
import { createScripts } from './scripts.ts';

/**
 * The scripts on disk, with paths relative to `cwd`; `projects` are folders with dependencies
 * (docs/reference/projects.md#dependencies).
 */
export function openFolder(cwd: string, projects: readonly string[]): ScriptsApi {
  return createScripts((work) => work(createLocalLoader({ cwd, projects })));
}
