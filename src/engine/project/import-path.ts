/**
 * Splits a path whose names are joined by `/`: an import path, a project's name, a folder inside a project.
 * Null if a name is empty, `.` or `..`: such a path is invalid (docs/reference/projects.md#imports).
 */
export function splitNames(path: string): readonly string[] | null {
  const names = path.split('/');
  return names.some((name) => name === '' || name === '.' || name === '..') ? null : names;
}

/** Whether an import path is a project's name, or starts with it (docs/reference/projects.md#imports). */
export function isBelow(path: string, projectName: string): boolean {
  return path === projectName || path.startsWith(`${projectName}/`);
}
