import path from 'node:path';

/** Whether a path is a folder or below it; both are absolute and without links. */
export function isWithin(folder: string, target: string): boolean {
  const relative = path.relative(folder, target);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
