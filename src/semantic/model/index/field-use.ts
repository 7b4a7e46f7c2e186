import type { Dimension, Measure, ValueType } from '../model.ts';
import type { Edge, IndexedEntity } from './index-model.ts';

/** A dimension in a query. */
export interface DimensionUse {
  readonly kind: 'dimension';
  /** Equal for the same dimension over the same path. */
  readonly key: string;
  /** The entity as written in the query. */
  readonly entity: string;
  /** The start of the path in the query; its entity if the query names no path. */
  readonly start: IndexedEntity;
  readonly steps: readonly Edge[];
  readonly owner: IndexedEntity;
  readonly field: {
    readonly dimension: UsedDimension;
    /** For a grain, the dimension that it truncates. */
    readonly base: UsedDimension;
  };
}

/** A dimension, or a column of a result, which can also be a TIMESTAMP. */
type UsedDimension = Omit<Dimension, 'dataType'> & { readonly dataType: ValueType };

/** A measure in a query. */
export interface MeasureUse {
  readonly kind: 'measure';
  readonly key: string;
  /** The entity as written in the query. */
  readonly entity: string;
  readonly owner: IndexedEntity;
  /** The path to the entity; null if the query names only the entity. */
  readonly role: RolePath | null;
  readonly measure: Measure;
}

/** A path to the entity whose rows count. Dimensions of its first entity are joined back over the path. */
export interface RolePath {
  readonly start: IndexedEntity;
  /** At least one edge. */
  readonly steps: readonly Edge[];
}

export type FieldUse = DimensionUse | MeasureUse;
