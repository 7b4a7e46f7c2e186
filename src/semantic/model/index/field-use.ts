import type { Measure } from '../model.ts';
import type { Edge, IndexedDimension, IndexedEntity } from './index-model.ts';

/** A dimension as a question asks for it. */
export interface DimensionUse {
  readonly kind: 'dimension';
  /** The same for the same dimension over the same path. */
  readonly key: string;
  /** The entity as the question names it. */
  readonly entity: string;
  /** Where the path that the question names begins; its entity where it names none. */
  readonly start: IndexedEntity;
  readonly steps: readonly Edge[];
  readonly owner: IndexedEntity;
  readonly field: IndexedDimension;
}

/** A measure as a question asks for it. */
export interface MeasureUse {
  readonly kind: 'measure';
  readonly key: string;
  readonly entity: string;
  readonly owner: IndexedEntity;
  readonly measure: Measure;
}

export type FieldUse = DimensionUse | MeasureUse;
