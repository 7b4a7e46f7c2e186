import { elementAt } from '../../../invariants/must.ts';
import type { Graph } from '../../script/graph/graph.ts';
import {
  type BlockDefinition,
  createScriptError,
  describeDefinition,
  findPublicationSpan,
  isVoid,
} from '../../script/program/program.ts';
import { findEntry } from '../../script/syntax/find-entry.ts';
import type { CallSite } from '../../script/values/request.ts';

type Declaration = BlockDefinition['declaration'];

/** A block to publish, and the blocks that must be published before it. */
export interface PlannedPublication {
  readonly block: BlockDefinition;
  readonly reads: readonly BlockDefinition[];
}

/**
 * Orders blocks so that each comes after the blocks that it reads. Throws a DiagnosticError that prints the cycle if no
 * such order exists (docs/reference/publishing.md#order), at the request, or without one at a block.
 */
export function orderPublications(
  graph: Graph,
  blocks: readonly BlockDefinition[],
  site: CallSite | null,
): readonly PlannedPublication[] {
  const wantedBlocks = new Map(blocks.map((block) => [block.declaration, block]));
  for (const block of wantedBlocks.values()) checkPublishable(block);
  return sortPublications(graph, wantedBlocks, site);
}

/** Throws a DiagnosticError for a void block, and for one with an argument without a default. */
function checkPublishable(block: BlockDefinition): void {
  const what = describeDefinition(block);
  if (isVoid(block)) {
    const message = `${what} cannot be published: it is void, and has no rows`;
    throw createScriptError(block.file.file, findPublicationSpan(block, null), message);
  }
  const required = block.declaration.params.find((param) => param.default === null);
  if (required === undefined) return;
  const message = `${what} cannot be published: its argument \`${required.name}\` has no default`;
  throw createScriptError(block.file.file, required, message);
}

/** A block whose reads are being visited; `followed` is the number of visited ones. */
interface Frame extends PlannedPublication {
  followed: number;
}

/** Sorts topologically, without recursion. */
function sortPublications(
  graph: Graph,
  wantedBlocks: ReadonlyMap<Declaration, BlockDefinition>,
  site: CallSite | null,
): readonly PlannedPublication[] {
  const ordered = new Map<Declaration, PlannedPublication>();
  const open = new Map<Declaration, Frame>();
  for (const start of wantedBlocks.values()) {
    const frames: Frame[] = [];
    const enter = (block: BlockDefinition) => {
      if (ordered.has(block.declaration)) return;
      if (open.has(block.declaration)) throw createCycleError([...open.values()], block, site);
      const frame = { block, reads: findOwnReads(graph, block, wantedBlocks), followed: 0 };
      open.set(block.declaration, frame);
      frames.push(frame);
    };
    enter(start);
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const { block, reads, followed } = frame;
      frame.followed += 1;
      if (followed < reads.length) {
        enter(elementAt(reads, followed));
        continue;
      }
      frames.pop();
      open.delete(block.declaration);
      ordered.set(block.declaration, { block, reads });
    }
  }
  return [...ordered.values()];
}

function createCycleError(open: readonly Frame[], block: BlockDefinition, site: CallSite | null) {
  const first = open.findIndex((frame) => frame.block.declaration === block.declaration);
  const names = [...open.slice(first), { block }].map((frame) => `\`${frame.block.name}\``);
  return createScriptError(
    (site ?? block).file.file,
    site ?? block.declaration.name ?? block.declaration,
    `these publications depend on each other in a cycle: ${names.join(' → ')}`,
  );
}

/** The blocks that must be published first. A table that reads itself reads the result of the last run. */
function findOwnReads(
  graph: Graph,
  block: BlockDefinition,
  wantedBlocks: ReadonlyMap<Declaration, BlockDefinition>,
): readonly BlockDefinition[] {
  return listWantedReads(graph, block, wantedBlocks).filter(
    (dependency) => dependency.declaration !== block.declaration || isView(block),
  );
}

function isView({ declaration }: BlockDefinition): boolean {
  const publication = findEntry(declaration.meta, 'publication');
  const type = publication?.kind === 'map' ? findEntry(publication, 'type') : null;
  return type?.kind === 'literal' && type.value === 'view';
}

/** The wanted blocks that a block reads, also indirectly through published blocks that are not wanted. */
export function listWantedReads(
  graph: Graph,
  block: BlockDefinition,
  wantedBlocks: ReadonlyMap<Declaration, BlockDefinition>,
): readonly BlockDefinition[] {
  const reads: BlockDefinition[] = [];
  const seen = new Set<Declaration>();
  const waiting = [...graph.listReads(block)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next.declaration)) continue;
    seen.add(next.declaration);
    const wantedBlock = wantedBlocks.get(next.declaration);
    if (wantedBlock !== undefined) reads.push(wantedBlock);
    else waiting.push(...graph.listReads(next));
  }
  return reads.reverse();
}
