import type { Diagnostic } from '../text/diagnostic.ts';
import type { Source } from '../text/source.ts';
import type { ImportTarget } from './package-loader.ts';
import type { Parameters } from './parameters.ts';

/**
 * What a run needs of a package: the script `file`, by its name in messages; the definition `name`; or everything.
 * `withImports` adds everything in the packages that it imports.
 */
export interface Need {
  readonly id: string;
  readonly file?: string;
  readonly name?: string;
  readonly withImports?: boolean;
}

/**
 * The scripts of a package that a run can reach, ordered by name, with the target of each of their imports, by the path
 * as written.
 */
export interface SnapshotPackage {
  readonly id: string;
  /** The import path inside a project, else the path. */
  readonly name: string;
  readonly files: readonly Source[];
  readonly unreadable: readonly UnreadableScript[];
  readonly imports: Readonly<Record<string, ImportTarget>>;
  /** The values of parameters that the caller does not set, as its project sets them; omitted if it sets none. */
  readonly defaults?: Parameters | undefined;
}

/** A script that cannot be read, or that is too large; the names are those that it is known to define. */
export interface UnreadableScript {
  readonly error: Diagnostic;
  readonly names: readonly string[];
}

/**
 * Every source that a run can reach, as plain data that can be sent to another process. The first need is of the
 * package that the run starts in.
 */
export interface Snapshot {
  readonly needs: readonly [Need, ...Need[]];
  readonly packages: readonly SnapshotPackage[];
}

/** The sources of a snapshot. */
export function listSnapshotSources({ packages }: Snapshot): readonly Source[] {
  return packages.flatMap(({ files }) => files);
}
