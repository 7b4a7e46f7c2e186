import { elementAt, entryOf } from '../../../invariants/must.ts';
import { DIALECTS } from '../../sql/dialects.ts';
import { findAmbiguities } from '../index/find-ambiguities.ts';
import type { ModelIndex } from '../index/index-model.ts';
import type { Platform } from '../model.ts';
import { modelMessages } from '../model-messages.ts';
import type { EntityDocument, MeasureDocument } from '../model-schema.ts';
import { describeTwin } from '../read/check-entity.ts';
import type { Findings } from '../read/findings.ts';
import type { FilePart, MergedLayer } from '../read/merge-files.ts';
import type { Loose } from '../read/read-document.ts';
import { readModelExpression } from '../read-model-expression.ts';
import {
  findQualifiedColumns,
  findTextComparison,
  type QualifiedColumn,
  scanExpression,
} from '../scan-expression.ts';

/** The maximum number of entities in a model. */
const MAX_ENTITIES = 2_000;

/** Finds errors between the entities of a model (docs/reference/semantic-model.md#checking-a-model). */
export function checkModel(layers: readonly MergedLayer[], findings: Findings): void {
  const entities = listEntities(layers);
  if (entities.length > MAX_ENTITIES) {
    findings.refuse(
      elementAt(entities, MAX_ENTITIES),
      'name',
      modelMessages.tooMany('entities', MAX_ENTITIES),
    );
    return;
  }
  const byName = collectByName(entities, findings);
  for (const entity of entities) {
    checkRelationships(entity, byName, findings);
    checkUnreachable(entity, byName, findings);
  }
  checkColumns(entities, findings);
}

/** Warns about problems that queries to a valid model would have. */
export function warnAboutPaths(layers: readonly MergedLayer[], index: ModelIndex, findings: Findings): void {
  const entities = listEntities(layers);
  for (const entity of entities) {
    warnAboutSides(entity, findings);
    warnAboutTexts(entity, findings.warn);
  }
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  const warn = (name: string, message: string) => findings.warn(entryOf(byName, name), 'name', message);
  for (const { name } of entities.length > 1 ? entities : []) {
    if (entryOf(index.entities, name).edges.length === 0) warn(name, modelMessages.unreachable(name));
  }
  const { ambiguities, more } = findAmbiguities(index);
  for (const { from, to, paths } of ambiguities) warn(from, modelMessages.ambiguous(from, to, paths));
  const last = ambiguities.at(-1);
  if (last !== undefined && more > 0) warn(last.from, modelMessages.moreAmbiguous(more));
}

/** Warns about a join condition that names only one side: it cannot be written with other joins in the same query. */
function warnAboutSides({ name, platform, file, document }: PlacedEntity, findings: Findings): void {
  for (const relationship of document.relationships ?? []) {
    const { name: relationshipName = '', to_entity: to = '', expr = '' } = relationship;
    const sides = [name, to === name ? relationshipName : to] as const;
    const { written } = readModelExpression(expr, sides, DIALECTS[platform ?? 'duckdb'].lexicalRules);
    if ([0, 1].every((side) => written.includes(side))) continue;
    findings.warn({ file, document: relationship }, 'expr', modelMessages.oneSided(sides));
  }
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

function checkRelationships(
  entity: PlacedEntity,
  byName: ReadonlyMap<string, PlacedEntity>,
  findings: Findings,
): void {
  for (const relationship of entity.document.relationships ?? []) {
    const { to_entity: to, name, expr } = relationship;
    if (to === undefined) continue;
    const refuse = (key: string, message: string) =>
      findings.refuse({ file: entity.file, document: relationship }, key, message);
    const error = findTargetError(entity, to, byName);
    if (error !== null) {
      refuse('to_entity', error);
    } else if (name !== undefined && expr !== undefined) {
      // In a self-relationship, the other side is named after the relationship.
      const sides = [entity.name, to === entity.name ? name : to] as const;
      const unknown = findUnknownColumn(expr, sides, entity.platform);
      if (unknown !== undefined) refuse('expr', describeUnknown(unknown, sides, byName));
    }
  }
}

function checkUnreachable(
  entity: PlacedEntity,
  byName: ReadonlyMap<string, PlacedEntity>,
  findings: Findings,
): void {
  for (const unreachable of entity.document.x_unreachable ?? []) {
    const { to_entity: to } = unreachable;
    if (to === undefined) continue;
    const error = to === entity.name ? modelMessages.unreachableSelf() : findTargetError(entity, to, byName);
    if (error !== null) findings.refuse({ file: entity.file, document: unreachable }, 'to_entity', error);
  }
}

function findTargetError(
  entity: PlacedEntity,
  to: string,
  byName: ReadonlyMap<string, PlacedEntity>,
): string | null {
  const target = byName.get(to);
  if (target === undefined) return modelMessages.unknownEntity(to, byName.keys());
  const [platform, targetPlatform] = [entity.platform, target.platform];
  const isElsewhere = platform !== undefined && targetPlatform !== undefined && platform !== targetPlatform;
  return isElsewhere ? modelMessages.otherPlatform(to, targetPlatform) : null;
}

/** A column in a join condition that belongs to neither side. */
function findUnknownColumn(
  expr: string,
  sides: readonly string[],
  platform: Platform | undefined,
): QualifiedColumn | undefined {
  const known = sides.map((side) => side.toLowerCase());
  const expression = scanExpression(expr, DIALECTS[platform ?? 'duckdb'].lexicalRules);
  return findQualifiedColumns(expression).find(({ qualifier }) => !known.includes(qualifier.toLowerCase()));
}

function describeUnknown(
  { qualifier, written }: QualifiedColumn,
  sides: readonly [string, string],
  byName: ReadonlyMap<string, PlacedEntity>,
): string {
  const third = [...byName.keys()].find((name) => name.toLowerCase() === qualifier.toLowerCase());
  if (third === undefined) return modelMessages.unknownQualifier(qualifier, sides);
  return modelMessages.thirdEntity(written, third, sides);
}

/**
 * Warns about measures that compare text with the collation of a column. The collation can ignore case, but filters of
 * queries compare exactly.
 */
function warnAboutTexts({ file, platform, document }: PlacedEntity, warn: Findings['warn']): void {
  const { lexicalRules, textKeys } = DIALECTS[platform ?? 'duckdb'];
  if (textKeys === null) return;
  for (const measure of document.measures ?? []) {
    for (const key of ['expr', 'x_filter'] as const) {
      const comparison = findTextComparison(scanExpression(measure[key] ?? '', lexicalRules));
      if (comparison === null) continue;
      const exact = textKeys.toExact(comparison.operand);
      warn({ file, document: measure }, key, modelMessages.looseText(comparison.literal, exact));
    }
  }
}

/** An entity of a model with its location. */
interface PlacedEntity extends FilePart<EntityDocument> {
  readonly name: string;
  readonly platform: Platform | undefined;
}

/** The entities of a model by lower-case name. */
type Entities = ReadonlyMap<string, PlacedEntity>;
type Reader = 'dimension' | 'measure' | 'filter' | 'key';

/** Finds fields and joins that read columns of another entity. */
function checkColumns(entities: readonly PlacedEntity[], findings: Findings): void {
  const byName = new Map(entities.map((entity) => [entity.name.toLowerCase(), entity]));
  for (const entity of entities) {
    for (const { owner, key, text, reader } of listTexts(entity)) {
      const foreign = findForeign(text, entity, byName);
      if (foreign === null) continue;
      const message = describe(foreign, entity, reader);
      findings.refuse({ file: entity.file, document: owner }, key, message);
    }
  }
}

interface PlacedText {
  readonly owner: object;
  readonly key: string;
  readonly text: string;
  readonly reader: Reader;
}

function listTexts({ document }: PlacedEntity): readonly PlacedText[] {
  const { dimensions = [], measures = [], x_primary_key: keys = [] } = document;
  const text = (owner: object, key: string, value: string | undefined, reader: Reader) =>
    value?.includes('.') ? [{ owner, key, text: value, reader }] : [];
  return [
    ...keys.flatMap((column) => text(document, 'x_primary_key', column, 'key')),
    ...dimensions.flatMap((dimension) => text(dimension, 'expr', dimension.expr, 'dimension')),
    ...measures.flatMap((measure: Loose<MeasureDocument>) => [
      ...text(measure, 'expr', measure.expr, 'measure'),
      ...text(measure, 'x_filter', measure.x_filter, 'filter'),
    ]),
  ];
}

/** A column and its entity. */
interface Foreign {
  readonly column: QualifiedColumn;
  readonly other: PlacedEntity;
}

function findForeign(text: string, entity: PlacedEntity, byName: Entities): Foreign | null {
  const { lexicalRules } = DIALECTS[entity.platform ?? 'duckdb'];
  for (const column of findQualifiedColumns(scanExpression(text, lexicalRules))) {
    const other = findOwner(column.qualifier.toLowerCase(), entity, byName);
    if (other !== undefined && other !== entity) return { column, other };
  }
  return null;
}

/** The entity that a qualifier names, by its own name or by a relationship's name. */
function findOwner(name: string, entity: PlacedEntity, byName: Entities): PlacedEntity | undefined {
  if (name === entity.name.toLowerCase()) return undefined;
  const step = (entity.document.relationships ?? []).find((one) => one.name?.toLowerCase() === name);
  return byName.get(name) ?? byName.get(step?.to_entity?.toLowerCase() ?? '');
}

function describe({ column, other }: Foreign, entity: PlacedEntity, reader: Reader): string {
  const dimension = (other.document.dimensions ?? []).find(
    ({ name, expr }) => name !== undefined && expr?.trim().toLowerCase() === column.column.toLowerCase(),
  );
  const known = dimension === undefined ? null : `${other.name}.${dimension.name}`;
  return modelMessages.otherEntity[reader](column.written, entity.name, other.name, known);
}
