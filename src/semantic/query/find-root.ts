import { elementAt, present } from '../../invariants/must.ts';
import { SemanticError, semanticErrors } from '../errors.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import type { Edge, IndexedEntity, ModelIndex } from '../model/index/index-model.ts';
import { findToOnePath } from '../model/index/join-path.ts';

/**
 * The entity that has one row of each other that some fields are of: whose rows a question without measures lists
 * (semantic 3, point 1), and those that a measure made of these fields counts. Throws a SemanticError `refused` where there
 * is none, or no single one.
 */
export function findRoot(index: ModelIndex, fields: readonly DimensionUse[]): IndexedEntity {
  const starts = [...new Set(fields.map(({ start }) => start))];
  const [only] = starts;
  if (starts.length === 1) return present(only);
  const paths = starts.map((root) => fields.map((use) => findFieldPath(index, root, use)));
  const roots = starts.flatMap((root, at) => {
    const own = elementAt(paths, at).filter((path) => path !== null);
    if (own.length < fields.length) return [];
    // Had the relationship SQL, this one might be the answer: another one would give other rows.
    const refusal = own.find((path) => path instanceof SemanticError);
    if (refusal !== undefined) throw refusal;
    return [{ root, paths: own.filter((path): path is readonly Edge[] => !(path instanceof SemanticError)) }];
  });
  const names = starts.map(({ entity }) => entity.name);
  if (roots.length === 0) {
    throw paths.flat().find((path) => path instanceof SemanticError) ?? semanticErrors.noRoot(names);
  }
  if (roots.length === 1) return elementAt(roots, 0).root;
  // Of two that have one row of each other, the one that says so comes first.
  const declaring = roots.filter((own) => own.paths.flat().every(({ isInverse }) => !isInverse));
  if (declaring.length !== 1) throw semanticErrors.severalRoots(names);
  return elementAt(declaring, 0).root;
}

/** The to-one edges from an entity to a dimension; null where there is no such path or no single one. */
function findFieldPath(index: ModelIndex, root: IndexedEntity, { start, steps }: DimensionUse) {
  return steps.some(({ toMany }) => toMany) ? null : findToOnePath(index, root, start);
}
