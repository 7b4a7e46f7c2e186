/** Catalog paths of pages: segments joined with `/`; the empty path stands for the list of namespaces. */

/** The namespace that is the home of the signed-in user. */
export const PERSONAL = '@Personal';

/** A path in the form of URLs: each segment is percent-encoded. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** The path of the folder that contains an item; the empty path for a namespace. */
export function getParentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The last segment of a path. */
export function getName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path of a child. */
export function joinPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}/${name}`;
}

/** The paths of the folders around an item, the namespace first; empty for a namespace. */
export function listAncestors(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
}

/** Whether a path is an item or lies below it. */
export function isAtOrBelow(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}/`);
}

/** Whether a path is one of the namespaces, which cannot be renamed, moved or deleted. */
export function isNamespace(path: string): boolean {
  return path !== '' && !path.includes('/');
}
