import path from 'node:path';
import type { Project } from '../../engine/project/package-loader.ts';
import { unknownSelector } from '../api/errors.ts';

/**
 * Converts a selector to package names. A path relative to the folder `from` (`..`, `./base`) and an absolute path are
 * converted; other selectors stay, as does a `+` before or after a path. Throws an UnknownNameError for a path outside
 * the project, or without a project, outside the folder.
 */
export function resolveSelector(selector: string, from: string, project: Project | null): string {
  const [, before = '', written = '', after = ''] = /^(\+?)(.*?)(\+?)$/s.exec(selector) ?? [];
  if (!path.isAbsolute(written) && !written.split('/').some((part) => part === '.' || part === '..')) {
    return selector;
  }
  const inside = path.relative(project?.id ?? from, path.resolve(from, written)).replaceAll(path.sep, '/');
  if (inside === '..' || inside.startsWith('../') || path.isAbsolute(inside)) {
    const folder = project === null ? 'current folder, which belongs to no project' : 'project';
    throw unknownSelector(selector, `: it leads out of the ${folder}`);
  }
  const name = project?.manifest.general.name;
  const resolved = [name, inside].filter((part) => part !== undefined && part !== '').join('/');
  return `${before}${resolved || '.'}${after}`;
}
