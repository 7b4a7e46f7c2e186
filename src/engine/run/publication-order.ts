import { listDependencies } from '../script/list-dependencies.ts';
import { type BlockDefinition, createFault, describeDefinition, type Program } from '../script/program.ts';
import type { Site } from '../script/request.ts';

type Declaration = BlockDefinition['declaration'];

/**
 * Blocks in an order in which each comes after those that it reads. Throws a DiagnosticError that prints the
 * circle where there is no such order (language 7).
 */
export function orderPublications(
  program: Program,
  blocks: readonly BlockDefinition[],
  site: Site,
): readonly BlockDefinition[] {
  const wanted = new Map(blocks.map((block) => [block.declaration, block]));
  const ordered: BlockDefinition[] = [];
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
    for (const read of listDependencies(program, block)) {
      const own = wanted.get(read.declaration);
      // A publication that reads itself reads what the last run has made.
      if (own !== undefined && own.declaration !== block.declaration) visit(own);
    }
    open.pop();
    done.add(block.declaration);
    ordered.push(block);
  }

  for (const block of wanted.values()) {
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
