import { deserialize, serialize } from 'node:v8';
import { type Diagnostic, printDiagnostic } from '../../engine/text/diagnostic.ts';
import { answerQuestion } from '../../semantic/compile/compile-query.ts';
import { SemanticError } from '../../semantic/errors.ts';
import { toMetadata } from '../../semantic/metadata/to-metadata.ts';
import { type AskedModel, createModelIndex } from '../../semantic/model/index/index-model.ts';
import { createModelRegistry } from '../../semantic/model/load/model-registry.ts';
import type { Model } from '../../semantic/model/model.ts';
import { prepareParser } from '../../semantic/syntax/parse-statements.ts';
import { SemanticSqlError } from '../../semantic/syntax/semantic-sql-error.ts';
import { answerStatements } from '../../semantic/translate/answer-statements.ts';
import type {
  AskAnswer,
  AskCall,
  ModelCall,
  ReadAnswer,
  ReadCall,
  SqlAnswer,
  SqlCall,
  WarmAnswer,
} from './model-calls.ts';

// The program of a process that reads models, or translates semantic queries for models that another one has read: a
// model or a query that takes too much memory must not end the server. It handles one call at a time, ends with its
// parent, and leaves signals to it.

/** The maximum of reported diagnostics. */
const MAX_DIAGNOSTICS = 20;
/** The maximum of cached models; the least recently queried one is removed first. */
const MAX_MODELS = 100;

interface Kept extends AskedModel {
  readonly version: number;
}

const registry = createModelRegistry();
const kept = new Map<string, Kept>();

process.on('message', async (call: ModelCall) => process.send?.(await answer(call)));
process.once('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

function answer(call: ModelCall): ReadAnswer | AskAnswer | Promise<SqlAnswer | WarmAnswer> {
  switch (call.kind) {
    case 'read':
      return read(call);
    case 'ask':
      return ask(call);
    case 'sql':
      return askSql(call);
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
  const metadata = Buffer.from(JSON.stringify(toMetadata(model)));
  const layers = model.layers.map(({ name, platform }) => ({ name, platform }));
  return { valid: { model: serialize(model), metadata, layers }, errors: null };
}

function printErrors(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const shown = errors.slice(0, MAX_DIAGNOSTICS).map(printDiagnostic);
  const more = errors.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function ask({ id, version, model, query, strict, explain }: AskCall): AskAnswer {
  const found = find(id, version, model);
  if (found === null) return { status: 'unknown' };
  try {
    const { sql, plan, paths, warnings } = answerQuestion(found, query, { strict });
    return { status: 'done', answer: explain ? { sql, plan, paths, warnings } : { sql } };
  } catch (error) {
    if (!(error instanceof SemanticError)) throw error;
    const { kind, code, message, hint } = error;
    return { status: 'failed', error: { kind, code, message, hint } };
  }
}

async function askSql({ id, version, model, text, strict, now }: SqlCall): Promise<SqlAnswer> {
  const found = find(id, version, model);
  if (found === null) return { status: 'unknown' };
  const parse = await prepareParser();
  try {
    return { status: 'done', statements: answerStatements(found, parse(text), { strict, now }) };
  } catch (error) {
    if (!(error instanceof SemanticSqlError)) throw error;
    const { span, message } = error;
    return { status: 'refused', span, message };
  }
}

async function warm(): Promise<WarmAnswer> {
  await prepareParser();
  return { status: 'warm' };
}

function find(id: string, version: number, bytes: Uint8Array | null): Kept | null {
  const before = kept.get(id);
  const found = before?.version === version ? before : bytes && toKept(version, bytes);
  if (found === null) return null;
  kept.delete(id);
  kept.set(id, found);
  const [oldest] = kept.keys();
  if (kept.size > MAX_MODELS && oldest !== undefined) kept.delete(oldest);
  return found;
}

function toKept(version: number, bytes: Uint8Array): Kept {
  const model: Model = deserialize(bytes);
  return { version, model, index: createModelIndex(model) };
}
