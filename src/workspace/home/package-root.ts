import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { present } from '../../invariants/must.ts';

const MANIFEST = present(findPackageJSON('..', import.meta.url));

/** The folder of the installed package, wherever its modules are built to. */
export const PACKAGE_ROOT = path.dirname(MANIFEST);

/** The folder of the documentation, which is part of the package. */
export const DOCUMENTATION_FOLDER = path.join(PACKAGE_ROOT, 'docs');

/** The package's version. */
export function readVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  return version;
}
