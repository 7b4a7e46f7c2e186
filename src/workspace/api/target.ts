import type { CanFailLimits } from '../../engine/run/outcome/can-fail-report.ts';
import type { JsonValue } from '../../engine/script/params/json-value.ts';
import type { Source } from '../../engine/text/source.ts';
import type { SqlWork } from '../../execution/contract/request.ts';

/** What to run: plain SQL, a script, a block, tests, or an operation on files that are sent along. */
export type Target = SqlWork | ScriptTarget | BlockTarget | TestTarget | BuildTarget | BundleTarget;

/** A target that an HTTP request may have: nothing on the server's disk. */
export type ServedTarget = SqlWork | CatalogScript | (BlockTarget & { readonly disk: null }) | BundleTarget;

export type ScriptTarget = CatalogScript | LocalScript;

/** The version of a project in the hub. */
interface Versioned {
  readonly projectVersion?: string | undefined;
}

/** A script by its catalog path. */
interface CatalogScript extends Versioned {
  readonly kind: 'script';
  readonly path: string;
}

/** How files on a disk are found: relative paths start at `cwd`; dependencies are searched in `projects` first. */
interface Disk {
  readonly cwd: string;
  readonly projects: readonly string[];
}

/**
 * The source of a script on disk, with the package of its folder if the script belongs to it (`path` from `cwd`; null
 * for a source that is not a file).
 */
export interface LocalScript extends Disk {
  readonly kind: 'file';
  readonly source: Source;
  readonly path: string | null;
}

/** A block of a package: a folder of the catalog or on disk, or the path by which scripts import it. */
export interface BlockTarget extends Versioned {
  readonly kind: 'block';
  readonly package: string;
  readonly block: string;
  readonly args: Readonly<Record<string, JsonValue>>;
  /** Null: the block is in the catalog. */
  readonly disk: Disk | null;
}

/**
 * Tests of the catalog, or of the project on disk around a folder, named by selectors
 * (docs/reference/testing.md#which-tests): a package by its name or its path from the folder, `package.TestName`, or a
 * pattern over `package/TestName`. Without selectors, all tests of the project.
 */
export interface TestTarget {
  readonly kind: 'tests';
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly parallel: number;
  readonly failFast: boolean;
  /** The schema for the wrong rows of tests; undefined: they are not kept. */
  readonly storeFailures?: string | undefined;
  /** Tries which tests can fail: each is a line of JSON in the answer. */
  readonly canFail?: CanFailLimits | undefined;
  /** Null: the tests are in the catalog. */
  readonly disk: Disk | null;
}

/** Targets to publish and tests to run, in the order of the graph (docs/reference/build.md); selectors as for tests. */
export interface BuildTarget extends Omit<TestTarget, 'kind' | 'canFail'> {
  readonly kind: 'build';
  /** Whether targets are published, or only planned, with or without a session. */
  readonly mode: 'run' | 'plan' | 'offline';
  readonly fullRefresh: boolean;
}

/**
 * Files outside any catalog and disk, by their paths in a virtual folder, and the operation on them. Scripts are named
 * by their paths; packages by their folder or import path; `check` takes either. With `base`, the files are on top of
 * that folder of the catalog.
 */
export interface BundleTarget {
  readonly kind: 'bundle';
  readonly base?: string | undefined;
  readonly files: readonly Source[];
  readonly use:
    | { readonly kind: 'script' | 'check' | 'compile' | 'symbols'; readonly path: string }
    | ({ readonly kind: 'block' } & Pick<BlockTarget, 'package' | 'block' | 'args'>)
    | ({ readonly kind: 'tests' } & Pick<TestTarget, 'include' | 'exclude' | 'parallel' | 'failFast'>);
}
