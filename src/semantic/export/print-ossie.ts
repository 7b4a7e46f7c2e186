import { Document } from 'yaml';
import { entryOf, notNull } from '../../invariants/must.ts';
import { toColumn } from '../import/draft/foreign-sql.ts';
import type { Loss } from '../import/draft/losses.ts';
import type { Dimension, Domain, Entity, Layer, Measure, Model, Relationship } from '../model/model.ts';
import { DIALECTS } from '../sql/dialects.ts';
import { exportLosses } from './errors.ts';
import { findOssieDialect, OSSIE_TYPES, OSSIE_VERSION, QUERY } from './ossie-terms.ts';
import {
  findClash,
  noteLoss,
  type OssieMap,
  type OssieWriter,
  toAiContext,
  toExtensions,
  toOssieExpression,
  toOssieMap,
} from './ossie-writer.ts';
import { printOssieMetric } from './print-ossie-metric.ts';
import { type OssieRelationship, printOssieCondition, toOssieRelationship } from './to-ossie-relationship.ts';

/** A model in another format, and the warnings of the export. */
export interface ExportedModel {
  readonly text: string;
  readonly losses: readonly Loss[];
}

/** Prints a model as an Apache Ossie document (0.2.0.dev0), with one semantic model per layer. Never throws. */
export function printOssie({ layers }: Model): ExportedModel {
  const losses: Loss[] = [];
  const semantic_model = layers.map((layer) => toSemanticModel(layer, losses));
  const document = new Document({ version: OSSIE_VERSION, semantic_model }, { aliasDuplicateObjects: false });
  return { text: document.toString({ lineWidth: 0, indentSeq: false }), losses };
}

function toSemanticModel(layer: Layer, losses: Loss[]): OssieMap {
  const { name, label, platform, timezone, synonyms, domains } = layer;
  const writer: OssieWriter = { platform, lexicalRules: DIALECTS[platform].lexicalRules, losses };
  const dialect = findOssieDialect(platform);
  if (dialect === 'ANSI_SQL')
    noteLoss(writer, 'approximated', `the layer ${name}`, exportLosses.noDialect(platform, dialect));
  if (label !== undefined)
    noteLoss(writer, 'approximated', `the label of the layer ${name}`, exportLosses.ownOnly());
  if (timezone !== 'UTC')
    noteLoss(writer, 'approximated', `the time zone of the layer ${name}`, exportLosses.ownOnly());
  const only = findOnly(layer);
  if (only === null)
    noteLoss(writer, 'approximated', `the domains of the layer ${name}`, exportLosses.ownOnly());
  const entities = domains.flatMap((domain) => domain.entities);
  const parts = collectParts(entities, writer);
  return toOssieMap({
    name,
    description: only?.description,
    ai_context: toAiContext(synonyms),
    datasets: entities.map((entity) => toOssieDataset(entity, entryOf(parts.datasetParts, entity), writer)),
    relationships: parts.relationships,
    metrics: parts.metrics,
    custom_extensions: toExtensions({
      platform,
      label,
      x_timezone: timezone === 'UTC' ? undefined : timezone,
      domains: only === null ? domains.map(toOwnDomain) : undefined,
    }),
  });
}

/** The only domain of a layer, if it adds nothing to Ossie's semantic model. */
function findOnly({ name, domains }: Layer): Domain | null {
  const [domain, ...others] = domains;
  if (domain === undefined || others.length > 0 || domain.name !== name) return null;
  return domain.label === undefined && domain.synonyms.length === 0 ? domain : null;
}

function toOwnDomain({ name, label, description, synonyms, entities }: Domain): OssieMap {
  const names = entities.map((entity) => entity.name);
  return toOssieMap({ name, label, description, x_synonyms: synonyms, entities: names });
}

interface DatasetParts {
  readonly measures: OssieMap[];
  readonly relationships: OssieMap[];
  readonly uniqueKeys: (readonly string[])[];
}

/** Collects the metrics and relationships of all entities, and the parts that cannot be expressed as either. */
function collectParts(entities: readonly Entity[], writer: OssieWriter) {
  const datasetParts = new Map<Entity, DatasetParts>(
    entities.map((entity) => [entity, { measures: [], relationships: [], uniqueKeys: [] }]),
  );
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  const [metrics, relationships]: [OssieMap[], OssieMap[]] = [[], []];
  const [metricNames, linkNames] = [new Set<string>(), new Set<string>()];
  for (const entity of entities) {
    for (const measure of entity.measures) {
      const made = toOssieMetric(measure, entity, findFree(measure.name, entity, metricNames), writer);
      if ('datasetPart' in made) entryOf(datasetParts, entity).measures.push(made.datasetPart);
      else metrics.push(made.metric);
    }
    for (const relationship of entity.relationships) {
      const name = findFree(relationship.name, entity, linkNames);
      const link = toOssieLink(relationship, entity, { name, byName }, writer);
      if (link.uniqueKey !== undefined)
        addKey(entryOf(datasetParts, link.uniqueKey.entity), link.uniqueKey.columns);
      if (link.relationship === undefined) entryOf(datasetParts, entity).relationships.push(link.datasetPart);
      else relationships.push(link.relationship);
    }
  }
  return { datasetParts, metrics, relationships };
}

function addKey({ uniqueKeys }: DatasetParts, columns: readonly string[]): void {
  if (uniqueKeys.every((known) => known.join('\0') !== columns.join('\0'))) uniqueKeys.push(columns);
}

/** Finds a name that is unique in the whole semantic model. */
function findFree(name: string, entity: Entity, taken: Set<string>): string {
  const candidates = [name, `${entity.name}__${name}`];
  for (let at = 2; ; at += 1) {
    const freeName = candidates.find((candidate) => !taken.has(candidate.toLowerCase()));
    if (freeName !== undefined) {
      taken.add(freeName.toLowerCase());
      return freeName;
    }
    candidates.push(`${entity.name}__${name}_${at}`);
  }
}

/** The parts of an entity that appear nowhere else in the document. */
interface OwnParts {
  readonly measures: readonly OssieMap[];
  readonly relationships: readonly OssieMap[];
  readonly uniqueKeys: readonly (readonly string[])[];
}

/** An entity as a dataset of Ossie. */
function toOssieDataset(entity: Entity, ownParts: OwnParts, writer: OssieWriter): OssieMap {
  const { name, label, description, source, primaryKey, synonyms, dimensions, unreachable } = entity;
  const text = source.kind === 'table' ? source.name : source.sql;
  const isPlainKey =
    primaryKey?.every((column) => toColumn(column, writer.lexicalRules) === column) !== false;
  if (label !== undefined) noteLoss(writer, 'approximated', `the label of ${name}`, exportLosses.ownOnly());
  for (const { toEntity } of unreachable)
    noteLoss(writer, 'approximated', `${name} and ${toEntity}`, exportLosses.unreachable());
  if (!isPlainKey) noteLoss(writer, 'dropped', `the key of ${name}`, exportLosses.keyOfExpression());
  return toOssieMap({
    name,
    source: text,
    primary_key: isPlainKey ? (primaryKey ?? undefined) : undefined,
    unique_keys: ownParts.uniqueKeys,
    description,
    ai_context: toAiContext(synonyms),
    fields: dimensions
      .filter(({ grain }) => grain === null)
      .map((dimension) => toOssieField(dimension, entity, writer)),
    custom_extensions: toExtensions({
      label,
      source: QUERY.test(text) === (source.kind === 'query') ? undefined : source.kind,
      x_primary_key: isPlainKey ? undefined : primaryKey,
      measures: ownParts.measures,
      relationships: ownParts.relationships,
      x_unreachable: unreachable.map(({ toEntity, joinType, reason }) =>
        toOssieMap({ to_entity: toEntity, join_type: joinType ?? undefined, reason }),
      ),
    }),
  });
}

function toOssieField(dimension: Dimension, entity: Entity, writer: OssieWriter): OssieMap {
  const { name, label, description, dataType, hidden, expr, caseSensitive, synonyms } = dimension;
  const subject = `${entity.name}.${name}`;
  const grains = listGrains(dimension, entity);
  const clash = findClash(expr, entity, writer.lexicalRules, name);
  const type = OSSIE_TYPES[dataType];
  if (hidden) noteLoss(writer, 'approximated', subject, exportLosses.seen());
  if (grains.length > 0) noteLoss(writer, 'approximated', `the grains of ${subject}`, exportLosses.ownOnly());
  if (caseSensitive) noteLoss(writer, 'approximated', `the case of ${subject}`, exportLosses.ownOnly());
  if (type === null) noteLoss(writer, 'approximated', subject, exportLosses.noType());
  if (clash !== undefined) noteLoss(writer, 'approximated', subject, exportLosses.columnInField(clash));
  return toOssieMap({
    name,
    expression: toOssieExpression(expr, writer),
    datatype: type ?? undefined,
    label,
    description,
    ai_context: toAiContext(synonyms),
    custom_extensions: toExtensions({
      data_type: type === null ? dataType : undefined,
      hidden: hidden || undefined,
      expr: clash === undefined ? undefined : expr,
      x_grains: grains,
      x_case_sensitive: caseSensitive || undefined,
    }),
  });
}

/** The grains of a dimension. Their dimensions follow it in the list. */
function listGrains(dimension: Dimension, { dimensions }: Entity): readonly string[] {
  const behind = dimensions.slice(dimensions.indexOf(dimension) + 1);
  const end = behind.findIndex(({ grain }) => grain === null);
  return behind.slice(0, end === -1 ? behind.length : end).map(({ grain }) => notNull(grain));
}

/** A relationship of Ossie, or a part of the dataset's extension if Ossie cannot express it. */
interface OssieLink {
  readonly relationship?: OssieMap | undefined;
  readonly datasetPart: OssieMap;
  /** A unique key that Ossie needs to see the relationship as one-to-one. */
  readonly uniqueKey?: { readonly entity: Entity; readonly columns: readonly string[] } | undefined;
}

interface Names {
  /** The name, unique among the relationships of all entities. */
  readonly name: string;
  readonly byName: ReadonlyMap<string, Entity>;
}

/** A relationship of an entity for Ossie. */
function toOssieLink(
  relationship: Relationship,
  entity: Entity,
  { name, byName }: Names,
  writer: OssieWriter,
): OssieLink {
  const { joinType: join_type, toEntity: to_entity, expr } = relationship;
  const document = { name: relationship.name, join_type, to_entity, expr };
  const subject = `${entity.name}.${relationship.name}`;
  const sides = toOssieRelationship(entity.name, document, writer.lexicalRules);
  const isElsewhere = !byName.has(to_entity);
  if (sides === null || isElsewhere) {
    noteLoss(writer, 'dropped', subject, isElsewhere ? exportLosses.otherLayer() : exportLosses.noEquality());
    return { datasetPart: { ...document, at: entity.relationships.indexOf(relationship) } };
  }
  if (name !== relationship.name) noteLoss(writer, 'approximated', subject, exportLosses.renamed(name));
  const from = entryOf(byName, sides.from);
  const isKey = isSame(from.primaryKey ?? [], sides.from_columns);
  const other = to_entity === entity.name ? name : to_entity;
  const isPlain =
    name === relationship.name &&
    isDefinedByKeys(relationship, entity, isKey) &&
    expr === printOssieCondition(sides, [entity.name, other], writer.lexicalRules);
  return {
    relationship: toOssieMap({
      name,
      ...toSides(sides),
      custom_extensions: isPlain ? undefined : toExtensions({ entity: entity.name, ...document }),
    }),
    datasetPart: document,
    uniqueKey:
      join_type === 'ONE_TO_ONE' && !isKey ? { entity: from, columns: sides.from_columns } : undefined,
  };
}

function toSides({ from, to, from_columns, to_columns }: OssieRelationship): OssieMap {
  return { from, to, from_columns, to_columns };
}

/** Whether the keys of the dataset already define the cardinality. */
function isDefinedByKeys({ joinType }: Relationship, { relationships }: Entity, isKey: boolean): boolean {
  if (joinType !== 'MANY_TO_ONE') return joinType === 'ONE_TO_ONE';
  return !isKey && relationships.every((each) => each.joinType !== 'ONE_TO_ONE');
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

/** A metric of Ossie, or a part of the dataset's extension if Ossie cannot express it. */
type OssieMeasure = { readonly metric: OssieMap } | { readonly datasetPart: OssieMap };

/** Converts a measure to a metric of Ossie called `name`. */
function toOssieMetric(measure: Measure, entity: Entity, name: string, writer: OssieWriter): OssieMeasure {
  const subject = `${entity.name}.${measure.name}`;
  const at = entity.measures.indexOf(measure);
  const measureMap = toOwn(measure);
  const printed = printOssieMetric(entity.name, measure, writer.lexicalRules);
  const clash = findClash(`${measure.expr} ${measure.filter ?? ''}`, entity, writer.lexicalRules, null);
  if (printed === null || clash !== undefined) {
    const why = clash === undefined ? exportLosses.customFilter() : exportLosses.columnOrField(clash);
    noteLoss(writer, 'dropped', subject, why);
    const { description: x_description, synonyms: x_synonyms } = measure;
    return { datasetPart: toOssieMap({ ...measureMap, x_description, x_synonyms, at }) };
  }
  if (!printed.isQualified) noteLoss(writer, 'approximated', subject, exportLosses.unqualified());
  if (measure.hidden) noteLoss(writer, 'approximated', subject, exportLosses.seen());
  if (measure.label !== undefined)
    noteLoss(writer, 'approximated', `the label of ${subject}`, exportLosses.ownOnly());
  if (name !== measure.name) noteLoss(writer, 'approximated', subject, exportLosses.renamed(name));
  const isPlain = name === measure.name && isDefinedByMetric(measure);
  const metric = toOssieMap({
    name,
    expression: toOssieExpression(printed.text, writer),
    datatype: OSSIE_TYPES[measure.dataType] ?? undefined,
    description: measure.description,
    ai_context: toAiContext(measure.synonyms),
    custom_extensions: isPlain ? undefined : toExtensions({ entity: entity.name, ...measureMap }),
  });
  return { metric };
}

function toOwn({ name, label, hidden, dataType, aggregation, expr, filter }: Measure): OssieMap {
  return toOssieMap({
    name,
    label,
    data_type: dataType,
    aggregation_type: aggregation,
    expr,
    x_filter: filter ?? undefined,
    hidden: hidden || undefined,
  });
}

/** Whether the metric alone defines the measure: one aggregation of a column, or of rows. */
function isDefinedByMetric({ label, hidden, dataType, aggregation, expr, filter }: Measure): boolean {
  const isCount = aggregation === 'COUNT' || aggregation === 'COUNT_DISTINCT';
  if (label !== undefined || hidden || filter !== null || aggregation === 'CUSTOM') return false;
  return (expr === '*' || /^[A-Za-z_]\w*$/.test(expr)) && !(isCount && dataType === 'NUMBER');
}
