import { DiagnosticError } from '../../text/diagnostic.ts';
import type { SqlDialect } from '../../text/sql-dialect.ts';
import { settlePublication } from '../evaluate/evaluate.ts';
import { createRunContext } from '../evaluate/render.ts';
import { type BlockDefinition, createScriptDiagnostic } from '../program/program.ts';
import type { ScriptFile } from '../syntax/ast.ts';
import { type Summary, summarize } from '../syntax/summarize.ts';
import { printPlace } from '../values/publication.ts';
import type { RunContext } from '../values/scope.ts';
import { type Graph, isTarget, printNode } from './graph.ts';
import { readTags } from './tags.ts';

/** A block or test in listings and in lineage (docs/reference/build.md#lineage). */
export interface DescribedNode {
  /** `package.Name`. */
  readonly id: string;
  readonly kind: 'block' | 'target' | 'test' | 'check';
  /** The published table, view or file; null without one, and if its name needs a parameter without a value. */
  readonly target: string | null;
  readonly tags: readonly string[];
  readonly doc: string | null;
  /** The source of its declaration. */
  readonly text: string;
  readonly file: string;
  readonly line: number;
}

/** Blocks and tests, with an edge from what is read to what reads it, by their ids. */
export interface DescribedGraph {
  readonly nodes: readonly DescribedNode[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** Describes blocks and tests by name; `now` is a time in milliseconds since 1970-01-01 UTC. Nothing runs. */
export function describeGraph(
  graph: Graph,
  selected: readonly BlockDefinition[],
  { dialect, now }: { readonly dialect: SqlDialect; readonly now: number },
): DescribedGraph {
  const context = createRunContext(graph.program, dialect, now);
  const chosen = new Set(selected);
  const byFile = new Map<ScriptFile, Summaries>();
  const nodes = selected.map((block) => {
    const { file } = block.file;
    const summaries = byFile.get(file) ?? readSummaries(file);
    byFile.set(file, summaries);
    return describeNode(block, context, summaries);
  });
  const edges = selected.flatMap((block) =>
    graph
      .listCallees(block)
      .filter((callee) => chosen.has(callee))
      .map((callee) => ({ from: printNode(callee), to: printNode(block) })),
  );
  return {
    nodes: nodes.sort((left, right) => compare(left.id, right.id)),
    edges: edges.sort((left, right) => compare(left.from, right.from) || compare(left.to, right.to)),
  };
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The summaries of a file, by the positions of the names. */
type Summaries = ReadonlyMap<number, Summary>;

function readSummaries(file: ScriptFile): Summaries {
  return new Map(summarize(file).map((summary) => [summary.span.start, summary]));
}

function describeNode(block: BlockDefinition, context: RunContext, summaries: Summaries): DescribedNode {
  const { declaration, file, name } = block;
  const place = createScriptDiagnostic(file.file, declaration.name ?? declaration, '');
  const summary = declaration.name === null ? undefined : summaries.get(declaration.name.start);
  return {
    id: printNode(block),
    kind: findKind(block),
    target: isTarget(block) ? findTargetName(block, context) : null,
    tags: readTags(block),
    doc: summary?.name === name ? summary.doc : null,
    text: file.file.rendered.text.slice(declaration.start, declaration.end),
    file: place.file,
    line: place.line,
  };
}

function findKind(block: BlockDefinition): DescribedNode['kind'] {
  if (block.kind === 'test') return block.total === null ? 'test' : 'check';
  return isTarget(block) ? 'target' : 'block';
}

function findTargetName(block: BlockDefinition, context: RunContext): string | null {
  try {
    const publication = settlePublication(block, context);
    return publication === null ? null : printPlace(publication, context.dialect);
  } catch (error) {
    if (error instanceof DiagnosticError) return null;
    throw error;
  }
}
