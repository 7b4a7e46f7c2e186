import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Source } from '../../../src/engine/text/source.ts';
import { type ImportFormat, importModel } from '../../../src/semantic/import/import-model.ts';
import { readModel } from '../../../src/semantic/model/load/read-model.ts';
import { printModel } from '../../../src/semantic/model/print-model.ts';

const root = path.resolve(import.meta.dirname, '../../../fixtures/semantic/import');

/** The folders with the same shop in other formats. */
export const FIXTURES = [
  ['ossie', 'ossie'],
  ['dbt', 'dbt'],
  ['dbt-newer', 'dbt'],
  ['cube', 'cube'],
] as const satisfies readonly (readonly [string, ImportFormat])[];

/** The files of a folder. */
export function readSources(folder: string): readonly Source[] {
  const names = readdirSync(path.join(root, folder)).filter((name) => /\.ya?ml$/.test(name));
  return names.sort().map((name) => ({ name, text: readFileSync(path.join(root, folder, name), 'utf8') }));
}

/** The hand-written model of the shop. */
export function readShop() {
  return readModel([{ name: 'shop.yaml', text: readFileSync(path.join(root, 'shop.yaml'), 'utf8') }]);
}

/** The path of the golden file of a folder. */
export function goldenOf(folder: string): string {
  return path.join(root, folder, 'expected.txt');
}

/** Imports texts of another format, and reads the result as a model. */
export function importText(from: ImportFormat, ...texts: readonly string[]) {
  return importSources(
    from,
    texts.map((text, at) => ({ name: at === 0 ? 'model.yaml' : `model-${at + 1}.yaml`, text })),
  );
}

/** Imports files of another format; returns the model and one line per message. */
export function importSources(from: ImportFormat, sources: readonly Source[]) {
  const { documents, losses, diagnostics: failures } = importModel(sources, { from });
  const layers = documents.flatMap((document) => document.layers);
  const text = documents.length === 0 ? '' : printModel({ version: '1.0', layers });
  const { model, index, places, diagnostics } = readModel([{ name: 'imported.yaml', text }]);
  return {
    text,
    model,
    index,
    places,
    losses,
    failures: failures.map(({ line, column, message }) => `${line}:${column} ${message}`),
    lines: losses.map(
      ({ file, line, column, kind, message }) => `${file}:${line}:${column}: ${kind}: ${message}`,
    ),
    errors: diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message),
  };
}
