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
  /** The entity as the question names it. */
  readonly entity: string;
  readonly owner: IndexedEntity;
  /** How the question reaches the entity; null where it names that alone. */
  readonly role: Role | null;
  readonly measure: Measure;
}

/** A path from an entity to the one whose rows count; what starts at the first hangs on the way back. */
export interface Role {
  readonly start: IndexedEntity;
  /** One at least. */
  readonly steps: readonly Edge[];
}

export type FieldUse = DimensionUse | MeasureUse;
