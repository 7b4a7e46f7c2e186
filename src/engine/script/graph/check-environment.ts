import { DiagnosticError } from '../../text/diagnostic.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { settlePublication } from '../evaluate/evaluate.ts';
import { createRunContext } from '../evaluate/render.ts';
import {
  type BlockDefinition,
  createScriptDiagnostic,
  createScriptError,
  type Definition,
  describeDefinition,
  findPublicationSpan,
} from '../program/program.ts';
import { NO_ENVIRONMENT } from '../values/environment.ts';
import { type Publication, printPlace } from '../values/publication.ts';
import type { RunContext } from '../values/scope.ts';
import { type Graph, isTarget } from './graph.ts';
import { listTableNames } from './table-names.ts';

/** A target with the name in its metadata, and with that in the environment. */
interface PlacedTarget {
  readonly block: BlockDefinition;
  readonly written: Publication;
  readonly placed: Publication;
}

/**
 * Checks what a run in an environment with schemas of its targets may do, before anything runs
 * (docs/reference/environments.md#names): two targets cannot meet, and SQL cannot name a target of the metadata by hand,
 * which would be that of another environment. Throws a DiagnosticError.
 */
export function checkEnvironment(
  graph: Graph,
  definitions: Iterable<Definition>,
  context: RunContext,
  lexicalRules: LexicalRules,
): void {
  if (context.environment.names === null) return;
  const targets = listPlaced(graph, context);
  checkMeetings(targets, context);
  checkTableNames(targets, definitions, context, lexicalRules);
}

/** The targets whose names are known without a run. */
function listPlaced({ program, nodes }: Graph, context: RunContext): readonly PlacedTarget[] {
  const { dialect, now } = context;
  const plain = createRunContext(program, dialect, now, { environment: NO_ENVIRONMENT });
  return nodes.filter(isTarget).flatMap((block) => {
    const [written, placed] = [plain, context].map((one) => tryToSettle(block, one));
    return written == null || placed == null ? [] : [{ block, written, placed }];
  });
}

function tryToSettle(block: BlockDefinition, context: RunContext): Publication | null {
  try {
    return settlePublication(block, context);
  } catch (error) {
    if (error instanceof DiagnosticError) return null;
    throw error;
  }
}

function checkMeetings(targets: readonly PlacedTarget[], { dialect }: RunContext): void {
  const byPlace = new Map<string, PlacedTarget>();
  for (const target of targets) {
    const place = printPlace(target.placed, dialect);
    const other = byPlace.get(place.toLowerCase());
    const [own, others] = [target, other].map((one) => one && printPlace(one.written, dialect));
    if (other !== undefined && own !== others) {
      const { file, line } = createScriptDiagnostic(
        other.block.file.file,
        findPublicationSpan(other.block, null),
        '',
      );
      const what = `${describeDefinition(other.block)} (${file}:${line})`;
      const message = `in this environment \`${own}\` is \`${place}\`, and so is \`${others}\` of ${what}: give one of them another name, or the environment a \`schema_prefix\``;
      throw createScriptError(target.block.file.file, findPublicationSpan(target.block, null), message);
    }
    byPlace.set(place.toLowerCase(), target);
  }
}

function checkTableNames(
  targets: readonly PlacedTarget[],
  definitions: Iterable<Definition>,
  { environment, dialect }: RunContext,
  lexicalRules: LexicalRules,
): void {
  const byName = new Map<string, PlacedTarget>();
  for (const target of targets) {
    const { schema, name } = target.written;
    const inSchema = schema ?? environment.currentSchema;
    if (name !== null && inSchema !== null) byName.set(`${inSchema}.${name}`.toLowerCase(), target);
  }
  for (const definition of definitions) {
    for (const table of listTableNames(definition, lexicalRules)) {
      const target = byName.get(`${table.schema}.${table.name}`.toLowerCase());
      if (target === undefined) continue;
      const placed = printPlace(target.placed, dialect);
      const message = `this is not the table of this environment, which is \`${placed}\`: write \`${printCall(target.block, definition)}\``;
      throw createScriptError(definition.file.file, table, message);
    }
  }
}

/** The call of a block in a definition, by the import of its package. */
function printCall(block: BlockDefinition, { package: owner, file, declaration }: Definition): string {
  if (block.declaration === declaration) return '{{ publication.Target() }}';
  if (block.package.id === owner.id) return `{{ ${block.name}() }}`;
  const alias = [...file.imports].find(
    ([, imported]) => imported.kind === 'package' && imported.id === block.package.id,
  );
  const name = alias?.[0] ?? block.package.name.replace(/^.*\//, '');
  return `{{ ${name}.${block.name}() }}`;
}
