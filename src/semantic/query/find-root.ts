import { elementAt, present } from '../../invariants/must.ts';
import { SemanticError, semanticErrors } from '../errors.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import type { Edge, IndexedEntity, ModelIndex } from '../model/index/index-model.ts';
import { findToOnePath } from '../model/index/join-path.ts';

/**
 * Finds the entity that reaches all given fields over to-one edges. A query without measures lists its rows
 * (docs/reference/semantic-numbers.md#legs), and a measure over these fields counts its rows. Throws a SemanticError
 * `refused` unless exactly one entity does.
 */
export function findRoot(index: ModelIndex, fields: readonly DimensionUse[]): IndexedEntity {
  const starts = [...new Set(fields.map(({ start }) => start))];
  const [only] = starts;
  if (starts.length === 1) return present(only);
  const paths = starts.map((root) => fields.map((use) => findFieldPath(index, root, use)));
  const roots = starts.flatMap((root, at) => {
    const fieldPaths = elementAt(paths, at).filter((path) => path !== null);
    if (fieldPaths.length < fields.length) return [];
    // With SQL for the relationship, this entity could be the root. Another root would return other rows.
    const error = fieldPaths.find((path) => path instanceof SemanticError);
    if (error !== undefined) throw error;
    return [
      { root, paths: fieldPaths.filter((path): path is readonly Edge[] => !(path instanceof SemanticError)) },
    ];
  });
  const names = starts.map(({ entity }) => entity.name);
  if (roots.length === 0) {
    throw paths.flat().find((path) => path instanceof SemanticError) ?? semanticErrors.noRoot(names);
  }
  if (roots.length === 1) return elementAt(roots, 0).root;
  // For a one-to-one relationship, the entity that declares it comes first.
  const [declaring, ...others] = roots.filter((root) =>
    root.paths.flat().every(({ isInverse }) => !isInverse),
  );
  const used = new Set(declaring?.paths.flat());
  // Over other relationships, they would pair other rows.
  const edges = roots.flatMap((root) => root.paths.flat());
  const isSame = edges.every((edge) => used.has(edge) || used.has(edge.inverse));
  if (declaring === undefined || others.length > 0 || !isSame) throw semanticErrors.severalRoots(names);
  return declaring.root;
}

/** The to-one edges from an entity to a dimension; null without a unique path. */
function findFieldPath(index: ModelIndex, root: IndexedEntity, { start, steps }: DimensionUse) {
  return steps.some(({ toMany }) => toMany) ? null : findToOnePath(index, root, start);
}
