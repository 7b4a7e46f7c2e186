import { deserialize, serialize } from 'node:v8';
import { type Diagnostic, printDiagnostic } from '../../engine/text/diagnostic.ts';
import { type AskedModel, createModelIndex } from '../../semantic/model/index/index-model.ts';
import { createModelRegistry } from '../../semantic/model/load/model-registry.ts';
import type { Model } from '../../semantic/model/model.ts';
import { prepareParser } from '../../semantic/syntax/parse-statements.ts';
import type {
  AskAnswer,
  ModelCall,
  ModelVersion,
  ReadAnswer,
  ReadCall,
  SqlAnswer,
  WarmAnswer,
} from './model-calls.ts';
import { printMetadata, queryModel, translateStatements } from './query-model.ts';

// The program of a process that reads models, or translates semantic queries for models that another one has read: a
// model or a query that takes too much memory must not end the server. It handles one call at a time, ends with its
// parent, and leaves signals to it.

/** The maximum of reported diagnostics. */
const MAX_DIAGNOSTICS = 20;
/** The maximum of cached models; the least recently queried one is removed first. */
const MAX_MODELS = 100;

interface CachedModel extends AskedModel {
  readonly version: number;
}

const registry = createModelRegistry();
const cache = new Map<string, CachedModel>();

process.on('message', async (call: ModelCall) => process.send?.(await answer(call)));
process.once('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

function answer(call: ModelCall): ReadAnswer | AskAnswer | Promise<SqlAnswer | WarmAnswer> {
  switch (call.kind) {
    case 'read':
      return read(call);
    case 'ask':
    case 'sql': {
      const model = findModel(call);
      if (model === null) return { status: 'unknown' };
      return call.kind === 'ask' ? queryModel(model, call) : translateStatements(model, call);
    }
    case 'warm':
      return warm();
  }
}

function read({ id, files }: ReadCall): ReadAnswer {
  const { model, isCurrent, diagnostics } = registry.load(
    id,
    files.map(({ name, revision, reading }) => ({ name, revision, read: () => reading })),
  );
  if (model === null || !isCurrent) return { valid: null, errors: printErrors(diagnostics) };
  const layers = model.layers.map(({ name, platform }) => ({ name, platform }));
  return { valid: { model: serialize(model), metadata: printMetadata(model), layers }, errors: null };
}

function printErrors(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const shown = errors.slice(0, MAX_DIAGNOSTICS).map(printDiagnostic);
  const more = errors.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

async function warm(): Promise<WarmAnswer> {
  await prepareParser();
  return { status: 'warm' };
}

/** Null for a version that the process does not have. */
function findModel({ id, version, model: bytes }: ModelVersion): CachedModel | null {
  const before = cache.get(id);
  const model = before?.version === version ? before : bytes && readBytes(version, bytes);
  if (model === null) return null;
  cache.delete(id);
  cache.set(id, model);
  const [oldest] = cache.keys();
  if (cache.size > MAX_MODELS && oldest !== undefined) cache.delete(oldest);
  return model;
}

function readBytes(version: number, bytes: Uint8Array): CachedModel {
  const model: Model = deserialize(bytes);
  return { version, model, index: createModelIndex(model) };
}
