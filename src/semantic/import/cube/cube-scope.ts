import type { LexicalRules } from '../../../engine/text/lexical-rules.ts';
import type { Platform } from '../../model/model.ts';
import type { Aggregate } from '../../model/print-aggregate.ts';
import type { Draft, EntityDraft } from '../draft/draft.ts';
import type { ForeignMap } from '../draft/foreign-map.ts';

/** A dimension or measure of a cube; its SQL holds references to others. */
export interface CubeMember {
  readonly map: ForeignMap;
  readonly name: string;
  readonly type: string;
  /** Undefined for what has none. */
  readonly sql: string | undefined;
}

/** A cube whose entity has been made. */
export interface Cube {
  readonly name: string;
  readonly map: ForeignMap;
  readonly entity: EntityDraft;
  /** Whether none of it may be asked for. */
  readonly isHidden: boolean;
  readonly dimensions: ReadonlyMap<string, CubeMember>;
  readonly measures: ReadonlyMap<string, CubeMember>;
}

/** Cubes that are being read. */
export interface CubeScope {
  readonly draft: Draft;
  readonly platform: Platform;
  readonly lexicalRules: LexicalRules;
  /** That of the first cube: no SQL joins several. */
  dataSource?: string;
  readonly cubes: Map<string, Cube>;
  /** Cubes that were left out, by their names. */
  readonly lost: Map<string, ForeignMap>;
  /** What is known of members already: they are made of one another. */
  readonly dimensionSql: WeakMap<CubeMember, SqlReading>;
  readonly aggregates: WeakMap<CubeMember, AggregateReading>;
}

/** SQL, or a sentence that says why there is none. */
export type SqlReading = { readonly sql: string } | { readonly why: string };

/** What a measure aggregates, or a sentence that says why there is none. */
export type AggregateReading = Aggregate | { readonly why: string };
