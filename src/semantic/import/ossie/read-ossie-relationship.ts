import { present } from '../../../invariants/must.ts';
import { printOssieCondition, toOssieRelationship } from '../../export/to-ossie-relationship.ts';
import type { RelationshipDocument } from '../../model/model-schema.ts';
import { toName } from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import type { ForeignMap } from '../draft/foreign-map.ts';
import type { OssieDataset, OssieScope } from './ossie-scope.ts';
import { readOwnRelationship, takeExtension } from './own-extension.ts';

/** The two sides of a relationship of Ossie. */
interface Sides {
  readonly from: OssieDataset;
  readonly to: OssieDataset;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
}

/** Reads a relationship of Ossie into a relationship of the entity on its many side, or from Quern's extension. */
export function readOssieRelationship(map: ForeignMap, scope: OssieScope): undefined {
  const originalName = map.text('name');
  if (originalName === undefined) return map.drop(importMessages.missing('name'));
  map.subject = `the relationship ${originalName}`;
  const sides = readSides(map, scope);
  if (sides === undefined) return;
  const extension = takeExtension(map);
  const synonyms = map.any('ai_context');
  if (synonyms !== undefined) map.refuse('ai_context', importMessages.forAssistants());
  map.finish();
  const extensionRelationship = extension === undefined ? null : readOwn(extension, sides, scope);
  const [entity, relationship] = extensionRelationship ?? [
    sides.from.entity,
    toRelationship(toName(originalName, map.origin), sides, scope),
  ];
  entity.relationships.push(relationship);
  scope.draft.origins.set(relationship, map.origin);
}

function readSides(map: ForeignMap, { datasets, draft }: OssieScope): Sides | undefined {
  const names = ['from', 'to'].map((key) => map.text(key));
  const [from, to] = names.map((name) => datasets.get(name?.toLowerCase() ?? ''));
  const drop = (why: string, key?: string) => {
    const [source, target] = [from?.entity ?? names[0]?.toLowerCase(), to?.entity ?? names[1]?.toLowerCase()];
    if (source !== undefined && target !== undefined) {
      const reason = `${map.subject}: ${why}`;
      draft.lostJoins.push({ from: source, to: target, joinType: 'MANY_TO_ONE', reason });
    }
    return map.drop(why, key === undefined ? map.span : map.place(key));
  };
  for (const [at, key] of ['from', 'to'].entries()) {
    const name = names[at];
    if (name === undefined) return drop(importMessages.missing(key), key);
    if (!datasets.has(name.toLowerCase())) return drop(importMessages.unknownEntity(name), key);
  }
  const [fromColumns, toColumns] = [map.texts('from_columns'), map.texts('to_columns')];
  if (fromColumns.length === 0) return drop(importMessages.missing('from_columns'));
  if (fromColumns.length !== toColumns.length) return drop(importMessages.unequalColumns());
  return { from: present(from), to: present(to), fromColumns, toColumns };
}

function toRelationship(name: string, sides: Sides, { lexicalRules }: OssieScope): RelationshipDocument {
  const { from, to, fromColumns, toColumns } = sides;
  const columns = {
    from: from.entity.name,
    to: to.entity.name,
    from_columns: fromColumns,
    to_columns: toColumns,
  };
  // In a self-relationship, the other side is named after the relationship.
  const names = [from.entity.name, from === to ? name : to.entity.name] as const;
  return {
    name,
    join_type: isUnique(from, fromColumns) ? 'ONE_TO_ONE' : 'MANY_TO_ONE',
    to_entity: to.entity.name,
    expr: printOssieCondition(columns, names, lexicalRules),
  };
}

/** Whether columns identify the rows of a dataset. */
function isUnique({ primaryKey, uniqueKeys }: OssieDataset, columns: readonly string[]): boolean {
  const unique = uniqueKeys.find((key) => isSame(key.columns, columns));
  if (unique !== undefined) unique.isUsed = true;
  return unique !== undefined || isSame(primaryKey, columns);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length > 0 && one.length === other.length && one.every((name) => other.includes(name));
}

/** The relationship in Quern's extension, if both agree; otherwise null. */
function readOwn(extension: ForeignMap, sides: Sides, scope: OssieScope) {
  const on = scope.datasets.get(extension.text('entity')?.toLowerCase() ?? '');
  const relationship = readOwnRelationship(extension);
  extension.finish();
  const target = scope.datasets.get(relationship?.to_entity.toLowerCase() ?? '');
  if (on === undefined || relationship === undefined || target === undefined) {
    return extension.drop(importMessages.stale()) ?? null;
  }
  const again = toOssieRelationship(on.entity.name, relationship, scope.lexicalRules);
  const isCurrent =
    again !== null &&
    scope.datasets.get(again.from.toLowerCase()) === sides.from &&
    scope.datasets.get(again.to.toLowerCase()) === sides.to &&
    again.from_columns.join('\0') === sides.fromColumns.join('\0') &&
    again.to_columns.join('\0') === sides.toColumns.join('\0');
  if (!isCurrent) return extension.drop(importMessages.stale()) ?? null;
  if (relationship.join_type === 'ONE_TO_ONE') isUnique(sides.from, sides.fromColumns);
  return [on.entity, { ...relationship, name: toName(relationship.name, extension.origin) }] as const;
}
