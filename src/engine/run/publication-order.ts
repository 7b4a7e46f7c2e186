import { listDependencies } from '../script/list-dependencies.ts';
import {
  type BlockDefinition,
  createFault,
  describeDefinition,
  findPublicationSpan,
  isVoid,
  type Program,
} from '../script/program.ts';
import type { Site } from '../script/request.ts';
import { findEntry } from '../script/syntax/find-entry.ts';

type Declaration = BlockDefinition['declaration'];

/** A block to publish, and those that must have been published before it. */
export interface PlannedPublication {
  readonly block: BlockDefinition;
  readonly reads: readonly BlockDefinition[];
}

/**
 * Blocks in an order in which each comes after those that it reads. Throws a DiagnosticError that prints the
 * circle where there is no such order (language 7).
 */
export function orderPublications(
  program: Program,
  blocks: readonly BlockDefinition[],
  site: Site,
): readonly PlannedPublication[] {
  const wanted = new Map(blocks.map((block) => [block.declaration, block]));
  const ordered: PlannedPublication[] = [];
  const done = new Set<Declaration>();
  const open: BlockDefinition[] = [];

  function visit(block: BlockDefinition): void {
    if (done.has(block.declaration)) return;
    const first = open.findIndex(({ declaration }) => declaration === block.declaration);
    if (first !== -1) {
      const names = [...open.slice(first), block].map(({ name }) => `\`${name}\``);
      throw createFault(
        site.file.file,
        site,
        `these publications read one another in a circle: ${names.join(' → ')}`,
      );
    }
    open.push(block);
    // A table that reads itself reads what the last run has made.
    const reads = listReads(program, block, wanted).filter(
      (read) => read.declaration !== block.declaration || isView(block),
    );
    for (const read of reads) visit(read);
    open.pop();
    done.add(block.declaration);
    ordered.push({ block, reads });
  }

  for (const block of wanted.values()) {
    if (isVoid(block)) {
      const message = `${describeDefinition(block)} cannot be published: it is void, and has no rows`;
      throw createFault(block.file.file, findPublicationSpan(block, null), message);
    }
    const required = block.declaration.params.find((param) => param.default === null);
    if (required !== undefined) {
      const what = describeDefinition(block);
      const message = `${what} cannot be published: its argument \`${required.name}\` has no default`;
      throw createFault(block.file.file, required, message);
    }
    visit(block);
  }
  return ordered;
}

function isView({ declaration }: BlockDefinition): boolean {
  const publication = findEntry(declaration.meta, 'publication');
  const type = publication?.kind === 'map' ? findEntry(publication, 'type') : null;
  return type?.kind === 'literal' && type.value === 'view';
}

/** Those of the wanted blocks that a block reads, also by way of published ones that are not wanted. */
function listReads(
  program: Program,
  block: BlockDefinition,
  wanted: ReadonlyMap<Declaration, BlockDefinition>,
): readonly BlockDefinition[] {
  const found: BlockDefinition[] = [];
  const seen = new Set<Declaration>();
  const waiting = [...listDependencies(program, block)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next.declaration)) continue;
    seen.add(next.declaration);
    const own = wanted.get(next.declaration);
    if (own !== undefined) found.push(own);
    else waiting.push(...listDependencies(program, next));
  }
  return found.reverse();
}
