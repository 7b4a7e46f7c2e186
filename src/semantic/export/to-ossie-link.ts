import { entryOf } from '../../invariants/must.ts';
import type { Entity, Relationship } from '../model/model.ts';
import { exportLosses } from './errors.ts';
import { noteLoss, type OssieMap, type OssieWriter, toExtensions, toOssieMap } from './ossie-writer.ts';
import { type OssieRelationship, printOssieCondition, toOssieRelationship } from './to-ossie-relationship.ts';

/** A relationship of Ossie, or a part of the dataset's extension if Ossie cannot express it. */
interface OssieLink {
  readonly relationship?: OssieMap | undefined;
  readonly own: OssieMap;
  /** A unique key that Ossie needs to see the relationship as one-to-one. */
  readonly uniqueKey?: { readonly entity: Entity; readonly columns: readonly string[] } | undefined;
}

interface Names {
  /** The name, unique among the relationships of all entities. */
  readonly name: string;
  readonly byName: ReadonlyMap<string, Entity>;
}

/** A relationship of an entity for Ossie. */
export function toOssieLink(
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
    return { own: { ...document, at: entity.relationships.indexOf(relationship) } };
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
    own: document,
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
