import type { Diagnostic } from '../../../engine/text/diagnostic.ts';
import type { ModelIndex } from '../index/index-model.ts';
import type { Model } from '../model.ts';
import { type ModelFileReading, readModelFile, toUnreadable } from '../read/read-model-file.ts';
import { continuesModel, type ModelFile } from './list-model-files.ts';
import { joinModelFiles, type ModelPlaces } from './read-model.ts';

/** The current state of a model. */
interface ModelState {
  /** The last valid version; null if there never was one. */
  readonly model: Model | null;
  readonly index: ModelIndex | null;
  readonly places: ModelPlaces | null;
  /** Whether the model matches the current files, which `diagnostics` describe. */
  readonly isCurrent: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** A cache of models, each by an id that the caller chooses for the location of its files. */
interface ModelRegistry {
  /**
   * Reads the changes since the last load. If the files have errors, the previous valid model is kept, unless all its
   * files were deleted.
   */
  load(id: string, files: readonly ModelFile[]): ModelState;
}

/** A file as last read. */
interface KnownFile {
  readonly revision: string;
  readonly reading: ModelFileReading;
}

interface Known {
  readonly revision: string;
  readonly files: ReadonlyMap<string, KnownFile>;
  readonly listed: readonly Pick<ModelFile, 'name' | 'id'>[];
  readonly state: ModelState;
}

/** The maximum number of cached models; the least recently used are dropped. */
const MAX_MODELS = 100;

/** Creates an empty registry. */
export function createModelRegistry(): ModelRegistry {
  const models = new Map<string, Known>();
  return {
    load(id, files) {
      const before = models.get(id);
      const known = update(before, files);
      models.delete(id);
      models.set(id, known);
      const [oldest] = models.keys();
      if (models.size > MAX_MODELS && oldest !== undefined) models.delete(oldest);
      return known.state;
    },
  };
}

function update(before: Known | undefined, files: readonly ModelFile[]): Known {
  const revision = JSON.stringify(files.map((file) => [file.name, file.revision]));
  if (before !== undefined && before.revision === revision) return before;
  const read = new Map(files.map((file) => [file.name, readAgain(before?.files.get(file.name), file)]));
  const { diagnostics, ...reading } = joinModelFiles([...read.values()].map((one) => one.reading));
  const isCurrent = reading.model !== null;
  const last = before !== undefined && continuesModel(before.listed, files) ? before.state : reading;
  const { model, index, places } = isCurrent ? reading : last;
  const state = { model, index, places, isCurrent, diagnostics };
  return { revision, files: read, listed: files.map(({ name, id }) => ({ name, id })), state };
}

function readAgain(before: KnownFile | undefined, file: ModelFile): KnownFile {
  const { revision } = file;
  if (before !== undefined && before.revision === revision) return before;
  const { source, error } = file.read();
  const reading = source === undefined ? toUnreadable(file.name, error) : readModelFile(source);
  return { revision, reading };
}
