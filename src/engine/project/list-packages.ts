import type { PackageSpace } from './resolve-import.ts';

/** Lists a folder and the folders below it that contain scripts, sorted, without hidden folders and duplicates. */
export function listPackages(space: PackageSpace, id: string): readonly string[] {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const folder = next;
    if (space.hasScripts(folder)) packages.add(folder);
    const names = space
      .listChildNames(folder)
      .filter((name) => !name.startsWith('.') && name !== 'node_modules');
    waiting.push(...names.flatMap((name) => space.findChild(folder, name) ?? []).reverse());
  }
  return [...packages];
}
