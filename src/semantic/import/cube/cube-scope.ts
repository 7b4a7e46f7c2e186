import type { LexicalRules } from '../../../engine/text/lexical-rules.ts';
import type { Aggregate } from '../../model/aggregate-functions.ts';
import type { Platform } from '../../model/model.ts';
import type { EntityDraft, ModelDraft } from '../draft/draft.ts';
import type { ForeignMap } from '../draft/foreign-map.ts';

/** A dimension or measure of a cube. Its SQL can refer to other members. */
export interface CubeMember {
  readonly map: ForeignMap;
  readonly name: string;
  readonly type: string;
  /** Undefined for a member without SQL. */
  readonly sql: string | undefined;
}

/** A cube with its entity. */
export interface Cube {
  readonly name: string;
  readonly map: ForeignMap;
  readonly entity: EntityDraft;
  /** Whether all of its members are hidden. */
  readonly isHidden: boolean;
  readonly dimensions: ReadonlyMap<string, CubeMember>;
  readonly measures: ReadonlyMap<string, CubeMember>;
}

/** The state of an import of cubes. */
export interface CubeScope {
  readonly draft: ModelDraft;
  readonly platform: Platform;
  readonly lexicalRules: LexicalRules;
  /** The data source of the first cube: cubes of different data sources cannot be joined. */
  dataSource?: string;
  readonly cubes: Map<string, Cube>;
  /** Cubes that were left out, by name. */
  readonly lost: Map<string, ForeignMap>;
  /** Cache of resolved members, because members refer to one another. */
  readonly dimensionSql: WeakMap<CubeMember, SqlReading>;
  readonly aggregates: WeakMap<CubeMember, AggregateReading>;
}

/** SQL, or the reason why there is no SQL. */
export type SqlReading = { readonly sql: string } | { readonly why: string };

/** The aggregate of a measure, or the reason why there is no aggregate. */
export type AggregateReading = Aggregate | { readonly why: string };
