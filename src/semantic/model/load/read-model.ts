import { createDiagnostic, type Diagnostic } from '../../../engine/text/diagnostic.ts';
import type { Source } from '../../../engine/text/source.ts';
import { elementAt } from '../../../invariants/must.ts';
import { checkModel, warnAboutPaths } from '../check/check-model.ts';
import { createModelIndex, type ModelIndex } from '../index/index-model.ts';
import type { Model } from '../model.ts';
import { modelMessages } from '../model-messages.ts';
import { collectFindings } from '../read/findings.ts';
import { mergeFiles } from '../read/merge-files.ts';
import { type ModelFileReading, readModelFile } from '../read/read-model-file.ts';
import { createModelPlaces, type ModelPlaces } from './model-places.ts';
import { toModel } from './to-model.ts';

/** A valid model with its index and locations, or null and its errors; `diagnostics` also has warnings. */
export interface ModelReading {
  readonly model: Model | null;
  readonly index: ModelIndex | null;
  readonly places: ModelPlaces | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** The maximum length of all files of a model, in characters. */
export const MAX_CHARACTERS = 16 * 1024 ** 2;

/** Reads a model from its YAML or JSON files, in any order (docs/reference/semantic-model.md). Never throws. */
export function readModel(sources: readonly Source[]): ModelReading {
  return joinModelFiles(sources.map(readModelFile));
}

/** Like `readModel`, for files that are already read. */
export function joinModelFiles(files: readonly ModelFileReading[]): ModelReading {
  const size = files.reduce((sum, { source }) => sum + source.text.length, 0);
  if (size > MAX_CHARACTERS) {
    const message = modelMessages.tooMany('characters', MAX_CHARACTERS);
    return {
      model: null,
      index: null,
      places: null,
      diagnostics: [createDiagnostic(elementAt(files, 0).source, { start: 0, end: 0 }, message, 'model')],
    };
  }
  const findings = collectFindings();
  const layers = mergeFiles(files, findings);
  checkModel(layers, findings);
  const diagnostics = [...files.flatMap((file) => file.diagnostics), ...findings.diagnostics];
  if (diagnostics.length > 0)
    return { model: null, index: null, places: null, diagnostics: sort(files, diagnostics) };
  const model = toModel(layers);
  const index = createModelIndex(model);
  warnAboutPaths(layers, index, findings);
  return { model, index, places: createModelPlaces(layers), diagnostics: sort(files, findings.diagnostics) };
}

/** Sorts diagnostics by file and position. */
function sort(files: readonly ModelFileReading[], all: readonly Diagnostic[]): readonly Diagnostic[] {
  if (all.length < 2) return all;
  const order = new Map(files.map(({ source }, at) => [source.name, at]));
  const fileOf = ({ file }: Diagnostic) => order.get(file) ?? 0;
  return [...all].sort(
    (one, other) => fileOf(one) - fileOf(other) || one.line - other.line || one.column - other.column,
  );
}
