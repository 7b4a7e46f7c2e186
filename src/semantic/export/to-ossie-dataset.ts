import { notNull } from '../../invariants/must.ts';
import { toColumn } from '../import/draft/foreign-sql.ts';
import type { Dimension, Entity } from '../model/model.ts';
import { exportLosses } from './errors.ts';
import { OSSIE_TYPES, QUERY } from './ossie-terms.ts';
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

/** The parts of an entity that appear nowhere else in the document. */
export interface OwnParts {
  readonly measures: readonly OssieMap[];
  readonly relationships: readonly OssieMap[];
  readonly uniqueKeys: readonly (readonly string[])[];
}

/** An entity as a dataset of Ossie. */
export function toOssieDataset(entity: Entity, own: OwnParts, writer: OssieWriter): OssieMap {
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
    unique_keys: own.uniqueKeys,
    description,
    ai_context: toAiContext(synonyms),
    fields: dimensions
      .filter(({ grain }) => grain === null)
      .map((dimension) => toOssieField(dimension, entity, writer)),
    custom_extensions: toExtensions({
      label,
      source: QUERY.test(text) === (source.kind === 'query') ? undefined : source.kind,
      x_primary_key: isPlainKey ? undefined : primaryKey,
      measures: own.measures,
      relationships: own.relationships,
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
