import { describeTwin } from './check-entity.ts';
import { findAmbiguities, type JoinEdge } from './find-ambiguities.ts';
import type { Findings } from './findings.ts';
import type { MergedLayer, Part } from './merge-files.ts';
import type { Platform } from './model.ts';
import { modelFaults } from './model-faults.ts';
import type { EntityDocument } from './model-schema.ts';
import { PLATFORM_LEXIS } from './platform-lexis.ts';
import { findQualifiers, scanExpression } from './scan-expression.ts';

/** Most entities of one model. */
const MOST_ENTITIES = 2_000;

interface PlacedEntity extends Part<EntityDocument> {
  readonly name: string;
  readonly platform: Platform | undefined;
}

/** Finds what is wrong with the entities of a model between one another (semantic 1). */
export function checkModel(layers: readonly MergedLayer[], findings: Findings): void {
  const entities = listEntities(layers);
  if (entities.length === 0) return;
  if (entities.length > MOST_ENTITIES) {
    findings.refuse(entities[MOST_ENTITIES]!, 'name', modelFaults.tooMany('entities', MOST_ENTITIES));
    return;
  }
  const byName = collectByName(entities, findings);
  const edges = entities.flatMap((entity) => checkRelationships(entity, byName, findings));
  warnAboutIslands(entities, edges, findings);
  warnAboutTies(byName, edges, findings);
}

function listEntities(layers: readonly MergedLayer[]): readonly PlacedEntity[] {
  return layers.flatMap(({ parts, domains }) => {
    const platform = parts[0]?.document.environment?.platform;
    return domains.flatMap((domain) =>
      domain.entities.flatMap((part) => {
        const { name } = part.document;
        return name === undefined ? [] : [{ ...part, name, platform }];
      }),
    );
  });
}

function collectByName(
  entities: readonly PlacedEntity[],
  findings: Findings,
): ReadonlyMap<string, PlacedEntity> {
  const folded = new Map<string, PlacedEntity>();
  const byName = new Map<string, PlacedEntity>();
  for (const entity of entities) {
    const { name, file } = entity;
    const other = folded.get(name.toLowerCase());
    if (other === undefined) folded.set(name.toLowerCase(), entity);
    else {
      const place = findings.printPlace(other, 'name', file);
      findings.refuse(entity, 'name', describeTwin('entity', name, other.name, place));
    }
    if (!byName.has(name)) byName.set(name, entity);
  }
  return byName;
}

/** The joins of an entity that lead somewhere. */
function checkRelationships(
  entity: PlacedEntity,
  byName: ReadonlyMap<string, PlacedEntity>,
  findings: Findings,
): readonly JoinEdge[] {
  const edges: JoinEdge[] = [];
  for (const relationship of entity.document.relationships ?? []) {
    const { to_entity: to, name, join_type: joinType, expr } = relationship;
    if (to === undefined) continue;
    const refuse = (key: string, message: string) =>
      findings.refuse({ file: entity.file, document: relationship }, key, message);
    const fault = findTargetFault(entity, to, byName);
    if (fault !== null) {
      refuse('to_entity', fault);
    } else if (name !== undefined && joinType !== undefined && expr !== undefined) {
      // The other side of a relationship with itself goes by the name of the relationship.
      const sides = [entity.name, to === entity.name ? name : to] as const;
      const unknown = findUnknownQualifier(expr, sides, entity.platform);
      if (unknown !== undefined) refuse('expr', modelFaults.unknownQualifier(unknown, sides));
      edges.push({ from: entity.name, to, name, joinType, expr });
    }
  }
  return edges;
}

function findTargetFault(
  entity: PlacedEntity,
  to: string,
  byName: ReadonlyMap<string, PlacedEntity>,
): string | null {
  const target = byName.get(to);
  if (target === undefined) return modelFaults.unknownEntity(to, byName.keys());
  const [own, other] = [entity.platform, target.platform];
  const isElsewhere = own !== undefined && other !== undefined && own !== other;
  return isElsewhere ? modelFaults.otherPlatform(to, other) : null;
}

/** What qualifies a column in a join, and is neither of its sides. */
function findUnknownQualifier(
  expr: string,
  sides: readonly string[],
  platform: Platform | undefined,
): string | undefined {
  const known = sides.map((side) => side.toLowerCase());
  const expression = scanExpression(expr, PLATFORM_LEXIS[platform ?? 'duckdb']);
  return findQualifiers(expression).find((qualifier) => !known.includes(qualifier.toLowerCase()));
}

function warnAboutIslands(
  entities: readonly PlacedEntity[],
  edges: readonly JoinEdge[],
  findings: Findings,
): void {
  if (entities.length === 1) return;
  const joined = new Set(edges.flatMap(({ from, to }) => [from, to]));
  for (const entity of entities) {
    // One whose relationships are wrong is no island.
    const isMeantToJoin = (entity.document.relationships ?? []).length > 0;
    if (joined.has(entity.name) || isMeantToJoin) continue;
    findings.warn(entity, 'name', modelFaults.unreachable(entity.name));
  }
}

function warnAboutTies(
  byName: ReadonlyMap<string, PlacedEntity>,
  edges: readonly JoinEdge[],
  findings: Findings,
): void {
  const { found, more } = findAmbiguities([...byName.keys()], edges);
  for (const { from, to, paths } of found) {
    findings.warn(byName.get(from)!, 'name', modelFaults.ambiguous(from, to, paths));
  }
  const last = found.at(-1);
  if (more > 0 && last) findings.warn(byName.get(last.from)!, 'name', modelFaults.moreAmbiguous(more));
}
