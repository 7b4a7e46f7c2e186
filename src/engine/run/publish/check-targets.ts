import path from 'node:path';
import { notNull } from '../../../invariants/must.ts';
import type { Connection } from '../../connection/contract/connection.ts';
import { settlePublication } from '../../script/evaluate/evaluate.ts';
import {
  type BlockDefinition,
  createScriptDiagnostic,
  createScriptError,
  describeDefinition,
  findPublicationSpan,
} from '../../script/program/program.ts';
import type { Publication } from '../../script/values/publication.ts';
import type { RunContext } from '../../script/values/scope.ts';

/** Bytes of a name that each database stores. */
const MIN_NAME_BYTES = 60;

interface TargetOptions {
  readonly connection: Connection;
  readonly context: RunContext;
  readonly directory: string;
  readonly signal: AbortSignal;
}

interface Target {
  readonly block: BlockDefinition;
  readonly publication: Publication;
}

/**
 * Rejects a request in which one block would replace the published object of another one, before anything is published.
 * Blocks are published in the given order, or in parallel. Rejects with a DiagnosticError.
 */
export async function checkTargets(
  blocks: readonly BlockDefinition[],
  { fullRefresh, parallel }: { readonly fullRefresh: boolean; readonly parallel: number },
  options: TargetOptions,
): Promise<void> {
  const { context } = options;
  const replaces = ({ publication }: Target) => fullRefresh || publication.incremental === null;
  // A history closes the states of the other block's rows.
  const isHistory = ({ publication }: Target) => publication.incremental === 'history';
  const byPlace = Map.groupBy(
    blocks.map((block) => ({ block, publication: readPublication(block, context) })),
    ({ publication }) => printStart(publication),
  );
  for (const sameName of byPlace.values()) {
    if (sameName.length === 1) continue;
    const first = new Map<string, Target>();
    for (const target of sameName) {
      const key = await findTargetKey(target.publication, options);
      const other = first.get(key);
      if (other === undefined) first.set(key, target);
      else if ([target, other].some(isHistory) || replaces(target) || (parallel > 1 && replaces(other)))
        throw createDuplicateTargetError(target, other);
    }
  }
}

/** The publication of a block that has `:publication`. Throws a DiagnosticError. */
function readPublication(block: BlockDefinition, context: RunContext): Publication {
  return notNull(settlePublication(block, context));
}

/** A text that is equal for all names that may be stored as the same one. */
function printStart({ path: file, name }: Publication): string {
  const last = (file ?? notNull(name)).replace(/^.*\//, '');
  return Buffer.from(last).toString('utf8', 0, MIN_NAME_BYTES).toLowerCase();
}

/** A key that is equal for two publications to the same object or file. */
async function findTargetKey(
  { path: file, schema, name }: Publication,
  { connection, directory, signal }: TargetOptions,
): Promise<string> {
  if (file !== null) return path.resolve(directory, file);
  const { publishing } = connection;
  const target = await publishing.resolve(schema, notNull(name), signal);
  const key = [target.database, target.schema, target.name].join('\0');
  return publishing.ignoresCase ? key.toLowerCase() : key;
}

function createDuplicateTargetError(
  { block, publication }: Target,
  { block: other, publication: otherPublication }: Target,
) {
  const key = publication.path === null ? 'name' : 'path';
  const { file, line } = createScriptDiagnostic(other.file.file, findPublicationSpan(other, key), '');
  const what = `${describeDefinition(other)} (${file}:${line})`;
  const [name, otherName] = [publication, otherPublication].map((target) => target.path ?? target.name);
  const object = key === 'name' ? 'object in the database' : 'file';
  const clause =
    name === otherName
      ? `is also published as \`${name}\``
      : `is published as \`${otherName}\`, which is the same ${object} as \`${name}\``;
  const message = `${what} ${clause}: give one of them a different \`:${key}\``;
  return createScriptError(block.file.file, findPublicationSpan(block, key), message);
}
