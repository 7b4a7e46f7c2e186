import type { ImportTarget, PackageSource, ScriptLoader } from '../project/script-loader.ts';
import type { Snapshot, SnapshotPackage } from '../project/snapshot.ts';
import { findImports } from './find-imports.ts';
import { type Params, substituteParams } from './params.ts';

/** What an import path begins with that names a part of the standard library. */
export const STANDARD = 'std/';

/**
 * Reads packages and everything they import, directly or not (language 1); the first one is the root. A
 * package that cannot be read is left out. Throws a ParamError.
 */
export function collectSnapshot(
  loader: ScriptLoader,
  roots: readonly [string, ...string[]],
  params: Params,
): Snapshot {
  const packages = new Map<string, SnapshotPackage>();
  const waiting: string[] = [...roots];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const source = packages.has(id) ? null : loader.readPackage(id);
    if (source === null) continue;
    const imports = resolveImports(loader, source, params);
    packages.set(id, { ...source, imports });
    for (const target of Object.values(imports)) if (target.kind === 'package') waiting.push(target.id);
  }
  return { root: roots[0], packages: [...packages.values()] };
}

function resolveImports(
  loader: ScriptLoader,
  { id, files }: PackageSource,
  params: Params,
): Readonly<Record<string, ImportTarget>> {
  const paths = new Set(files.flatMap((source) => findImports(substituteParams(source, params))));
  const own = [...paths].filter((path) => !path.startsWith(STANDARD));
  return Object.fromEntries(own.map((path) => [path, loader.resolveImport(id, path)]));
}
