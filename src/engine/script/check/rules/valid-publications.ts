import type { Expression, MapExpression } from '../../syntax/ast.ts';
import { findEntry } from '../../syntax/find-entry.ts';
import {
  checkStateKey,
  findPlaceKey,
  INCREMENTALS,
  missingChanges,
  missingKey,
  missingPlace,
  PUBLICATION_TYPES,
  PublicationError,
  type PublicationType,
  readSchemaPolicy,
  unknownIncremental,
  unknownType,
} from '../../values/publication.ts';
import type { Rule } from './rule.ts';

/**
 * Reports publications with an unknown type, and without the name or path that their type needs
 * (docs/reference/publishing.md#keys).
 */
export const validPublications: Rule = ({ packages }, report) => {
  for (const { files } of packages.values()) {
    for (const file of files) {
      for (const { meta } of file.file.blocks) {
        const publication = findEntry(meta, 'publication');
        if (publication === null) continue;
        const error = findError(publication);
        if (error !== null) report(file, error.at, error.message);
      }
    }
  }
};

function findError(publication: Expression): { at: Expression; message: string } | null {
  if (publication.kind !== 'map') {
    return ['literal', 'list', 'symbol'].includes(publication.kind)
      ? { at: publication, message: '`:publication` must be a map' }
      : null;
  }
  const type = findEntry(publication, 'type');
  if (type === null) return { at: publication, message: 'a publication needs a `:type`' };
  if (type.kind === 'symbol') return findTypeError(publication, type, type.name);
  return type.kind === 'literal' ? findTypeError(publication, type, String(type.value)) : null;
}

function findTypeError(map: MapExpression, at: Expression, name: string) {
  const type: PublicationType | undefined = PUBLICATION_TYPES.find((candidate) => candidate === name);
  if (type === undefined) return { at, message: unknownType(name).message };
  const target = findEntry(map, findPlaceKey(type));
  const isMissing =
    target === null || (target.kind === 'literal' && (target.value === null || target.value === ''));
  if (isMissing) return { at: target ?? map, message: missingPlace(type).message };
  return findIncrementalError(map) ?? findPolicyError(map);
}

function findPolicyError(map: MapExpression) {
  const at = findEntry(map, 'on_schema_change');
  const policy = at === null ? null : textOf(at);
  return at === null || policy === null ? null : findErrorOf(at, () => readSchemaPolicy(policy));
}

function findStateKeyError(map: MapExpression) {
  const at = findEntry(map, 'primary_key');
  const [primary, unique] = [at, findEntry(map, 'unique_key')].map(listTexts);
  if (at === null || primary === undefined || unique === undefined || primary === null || unique === null)
    return null;
  return findErrorOf(at, () => checkStateKey(primary, unique));
}

function findErrorOf(at: Expression, check: () => unknown) {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof PublicationError)) throw error;
    return { at, message: error.message };
  }
}

/** The texts of a list; null if one of them is computed. */
function listTexts(expression: Expression | null): readonly string[] | null {
  if (expression?.kind !== 'list') return null;
  const texts = expression.items.flatMap((item) => textOf(item) ?? []);
  return texts.length === expression.items.length ? texts : null;
}

function textOf(expression: Expression): string | null {
  if (expression.kind === 'symbol') return expression.name;
  return expression.kind === 'literal' && typeof expression.value === 'string' ? expression.value : null;
}

function findIncrementalError(map: MapExpression) {
  const at = findEntry(map, 'incremental');
  if (at?.kind !== 'literal' && at?.kind !== 'symbol') return null;
  const value = at.kind === 'symbol' ? at.name : at.value;
  if (value === null || typeof value === 'boolean') return null;
  const incremental = INCREMENTALS.find((candidate) => candidate === value);
  if (incremental === undefined) return { at, message: unknownIncremental(String(value)).message };
  const needsKey = incremental !== 'append' && findEntry(map, 'unique_key') === null;
  if (needsKey) return { at, message: missingKey(incremental).message };
  const needsChanges =
    incremental === 'merge_conditionally' && findEntry(map, 'update_on_changes_in') === null;
  if (needsChanges) return { at, message: missingChanges().message };
  return incremental === 'history' ? findStateKeyError(map) : null;
}
