import type { Source } from '../text/source.ts';
import type { ImportTarget, PackageSource } from './script-loader.ts';

/** A package with the target of each of its imports, by the path as written. */
export interface SnapshotPackage extends PackageSource {
  readonly imports: Readonly<Record<string, ImportTarget>>;
}

/** Every source that a run of the package `root` can reach, as plain data that can be sent to another process. */
export interface Snapshot {
  readonly root: string;
  readonly packages: readonly SnapshotPackage[];
}

/** The sources of a snapshot. */
export function listSources({ packages }: Snapshot): readonly Source[] {
  return packages.flatMap(({ files }) => files);
}
