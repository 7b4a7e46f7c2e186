import type { TypedExpression } from '../../expression/expression.ts';
import type { DimensionUse } from '../../model/index/field-use.ts';
import type { ExpressionSyntax } from '../../syntax/syntax.ts';
import type { NameEnvironment, View } from './environment.ts';
import type { EntityPlace } from './find-entity.ts';

/** An entity in FROM. */
export interface ScopeEntity {
  /** The qualifier of its columns: its alias, otherwise its name. */
  readonly name: string;
  readonly isAlias: boolean;
  readonly place: EntityPlace;
}

/** A transparent sub-query or a result, and the qualifier of its columns. */
export interface ScopeView extends View {
  readonly name: string;
}

/** The names that a SELECT over entities can use. */
export interface EntityScope extends NameEnvironment {
  /** The entities that can be named. */
  readonly entities: readonly ScopeEntity[];
  readonly views: readonly ScopeView[];
  /** All entities in FROM, including those behind views. */
  readonly places: readonly EntityPlace[];
  /** Whether an expression has a measure (a cache). */
  readonly measured: WeakMap<ExpressionSyntax, boolean>;
}

/** Translates a condition of ON over the rows of entities. */
export type TranslateEntityJoin = (scope: EntityScope, on: ExpressionSyntax) => TypedExpression<DimensionUse>;
