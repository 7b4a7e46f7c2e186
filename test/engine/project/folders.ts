import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { PackageLoader } from '../../../src/engine/project/package-loader.ts';
import { DiagnosticError } from '../../../src/engine/text/diagnostic.ts';

/** Creates a temporary folder with files, by their paths. */
export function makeFiles(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = realpathSync.native(mkdtempSync(path.join(tmpdir(), 'quern-loader-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return root;
}

/** The source of a manifest. */
export function project(
  name: string,
  version?: string,
  dependencies: Readonly<Record<string, string>> = {},
): string {
  const listed = Object.entries(dependencies).map(([key, value]) => `"${key}" = { version = "${value}" }\n`);
  const versionLine = version === undefined ? '' : `version = "${version}"\n`;
  return `[general]\nname = "${name}"\n${versionLine}[dependencies]\n${listed.join('')}`;
}

/** Resolves an import of the scripts in a folder, relative to the loader's current folder. */
export function importIn(loader: PackageLoader, folder: string, importPath: string): string {
  const target = loader.resolveImport(loader.findPackage(folder)!.id, importPath);
  return target.kind === 'missing' ? target.message : target.id;
}

/** The diagnostics that a call throws: positions and messages, without frames. */
export function catchMessages(act: () => unknown): string[] {
  try {
    act();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
  }
  throw new Error('not refused');
}
