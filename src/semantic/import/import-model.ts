import { createDiagnostic, type Diagnostic } from '../../engine/text/diagnostic.ts';
import { getLineMap } from '../../engine/text/line-map.ts';
import type { Source } from '../../engine/text/source.ts';
import { elementAt, notNull } from '../../invariants/must.ts';
import { listKeys } from '../../invariants/narrow.ts';
import { readModel } from '../model/load/read-model.ts';
import type { Platform } from '../model/model.ts';
import { modelMessages } from '../model/model-messages.ts';
import type { ModelDocument } from '../model/model-schema.ts';
import { printModel } from '../model/print-model.ts';
import { readCube } from './cube/read-cube.ts';
import { readDbt } from './dbt/read-dbt.ts';
import type { ForeignFile, ModelDraft, ReadOptions } from './draft/draft.ts';
import { importMessages } from './draft/errors.ts';
import { createFileLosses, type Loss } from './draft/losses.ts';
import { readForeign } from './draft/read-foreign.ts';
import { recordLostJoins } from './draft/record-lost-joins.ts';
import { settleDraft } from './draft/settle-draft.ts';
import { readOssie } from './ossie/read-ossie.ts';

/** A format from which models are read. */
export type ImportFormat = 'ossie' | 'dbt' | 'cube';

/** Import options; the default platform is that of the files, otherwise DuckDB. */
interface ImportOptions {
  readonly from: ImportFormat;
  readonly platform?: Platform | undefined;
}

/** The result of an import: a document for each layer, or the errors. */
interface ImportedModel {
  /** A valid model; empty if there are errors. */
  readonly documents: readonly ModelDocument[];
  readonly losses: readonly Loss[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Format {
  readonly read: (files: readonly ForeignFile[], options: ReadOptions) => ModelDraft;
  /** The name in messages, and the keys that its files must have. */
  readonly name: string;
  readonly wanted: string;
}

const FORMATS: Readonly<Record<ImportFormat, Format>> = {
  ossie: { read: readOssie, name: 'Apache Ossie', wanted: '`semantic_model`' },
  dbt: { read: readDbt, name: 'dbt', wanted: '`semantic_models`, or `models` with a `semantic_model`' },
  cube: { read: readCube, name: 'Cube', wanted: '`cubes`' },
};

const MAX_CHARACTERS = 16 * 1024 ** 2;
const MAX_ENTITIES = 2_000;

/** The names of the formats from which models are read. */
export const IMPORT_FORMATS = listKeys(FORMATS);

/** Reads a model in another format and reports all losses. Never throws. */
export function importModel(sources: readonly Source[], { from, platform }: ImportOptions): ImportedModel {
  const diagnostics: Diagnostic[] = [];
  const losses: Loss[] = [];
  const files = sources.flatMap((source): readonly ForeignFile[] => {
    const { roots, errors: fileErrors } = readForeign(source);
    diagnostics.push(
      ...fileErrors.map(({ span, message }) => createDiagnostic(source, span, message, 'model')),
    );
    const fileLosses = createFileLosses(source, losses);
    return roots.map((root) => ({ root, losses: fileLosses }));
  });
  const refuse = (message: string): ImportedModel => {
    const [first = { name: '', text: '' }] = sources;
    const diagnostic = createDiagnostic(first, { start: 0, end: 0 }, message, 'model');
    return { documents: [], losses, diagnostics: [...diagnostics, diagnostic] };
  };
  const size = sources.reduce((sum, { text }) => sum + text.length, 0);
  if (size > MAX_CHARACTERS) return refuse(modelMessages.tooMany('characters', MAX_CHARACTERS));
  if (diagnostics.length > 0) return { documents: [], losses, diagnostics };
  const { read, name, wanted } = FORMATS[from];
  const draft = read(files, { platform });
  const entities = draft.layers.flatMap(({ domains }) => domains.flatMap((domain) => domain.entities));
  if (entities.length > MAX_ENTITIES) return refuse(modelMessages.tooMany('entities', MAX_ENTITIES));
  settleDraft(draft);
  recordLostJoins(draft, name);
  const documents = toDocuments(draft);
  const sorted = sort(sources, losses);
  if (documents.length > 0) return { documents, losses: sorted, diagnostics: findDiagnostics(documents) };
  const reasons = findReasons(sources, sorted);
  if (reasons.length > 0) return { documents, losses: sorted, diagnostics: reasons };
  return refuse(importMessages.noModel(name, wanted));
}

/** Loss messages that are not reasons: their subject was not part of a model. */
const SILENT = [
  importMessages.nothingLike(),
  ...Object.values(FORMATS).map(({ name }) => importMessages.noPart(name)),
];

/** Why an imported model is empty: all losses except unknown keys. */
function findReasons(sources: readonly Source[], losses: readonly Loss[]): readonly Diagnostic[] {
  const byName = new Map(sources.map((source) => [source.name, source]));
  return losses.flatMap(({ kind, message, file, line, column }) => {
    const source = byName.get(file ?? '');
    const saysNothing = SILENT.some((end) => message.endsWith(end));
    if (kind !== 'dropped' || saysNothing || source === undefined) return [];
    const start = elementAt(getLineMap(source).starts, notNull(line) - 1) + notNull(column) - 1;
    return [createDiagnostic(source, { start, end: start }, message, 'model')];
  });
}

/** Without empty lists, and without layers that have no entities. */
function toDocuments({ layers }: ModelDraft): readonly ModelDocument[] {
  return layers.flatMap((layer): readonly ModelDocument[] => {
    const domains = layer.domains.map((domain) => ({ ...domain, entities: domain.entities.map(dropEmpty) }));
    const isEmpty = domains.every(({ entities }) => entities.length === 0);
    return isEmpty ? [] : [{ version: '1.0', layers: [{ ...layer, domains }] }];
  });
}

function dropEmpty<T extends object>(entity: T): T {
  const copy = { ...entity };
  for (const [key, value] of Object.entries(entity)) {
    if (Array.isArray(value) && value.length === 0) Reflect.deleteProperty(copy, key);
  }
  return copy;
}

/** The errors of the generated model. There must be none. */
function findDiagnostics(documents: readonly ModelDocument[]): readonly Diagnostic[] {
  const sources = documents.map((document, at) => ({
    name: `imported-${at + 1}.yaml`,
    text: printModel(document),
  }));
  return readModel(sources).diagnostics.filter(({ severity }) => severity === 'error');
}

/** Sorts losses by file and position. */
function sort(sources: readonly Source[], losses: readonly Loss[]): readonly Loss[] {
  const order = new Map(sources.map(({ name }, at) => [name, at]));
  const fileOf = ({ file }: Loss) => order.get(file ?? '') ?? 0;
  return [...losses].sort(
    (one, other) =>
      fileOf(one) - fileOf(other) ||
      (one.line ?? 0) - (other.line ?? 0) ||
      (one.column ?? 0) - (other.column ?? 0),
  );
}
