import type { Span } from '../../../engine/text/span.ts';
import type { QueryName, ResolvedFilter, ResultLink } from '../../expression/expression.ts';
import type { JoinedResult, ResultStatement } from '../../expression/statement.ts';
import type { DimensionUse, FieldUse } from '../../model/index/field-use.ts';
import type { AskedModel } from '../../model/index/index-model.ts';
import type { Dialect } from '../../sql/dialect.ts';
import type { NameSyntax, QuerySyntax, RelationSyntax } from '../../syntax/syntax.ts';
import type { EntityPlace } from './find-entity.ts';

/**
 * A transparent sub-query: columns of entities, and the conditions on their rows
 * (docs/reference/semantic-sql.md#inlined-sub-queries).
 */
export interface View {
  readonly entities: readonly EntityPlace[];
  readonly columns: readonly ViewColumn[];
  readonly conditions: readonly ResolvedFilter<DimensionUse>[];
  /** The results that are joined with its entities. */
  readonly results: readonly ResultLink[];
}

interface ViewColumn {
  readonly name: string;
  readonly use: FieldUse;
}

/** A source in FROM. */
export type FromItem =
  | { readonly kind: 'entity'; readonly place: EntityPlace }
  | {
      readonly kind: 'view';
      readonly view: View;
      /** The sub-query as a result, grouped by its columns that are not measures. */
      readonly toResult: () => FromResult;
    }
  | FromResult;

export interface FromResult {
  readonly kind: 'result';
  readonly statement: ResultStatement;
  /** The names of its columns. */
  readonly names: readonly string[];
  /** The name in WITH, or null. */
  readonly table: string | null;
  /** The columns that a transparent sub-query is grouped by; null for a sub-query that is always a result. */
  readonly groupedBy: readonly string[] | null;
}

/** A table in FROM, or a sub-query. */
export type SourceSyntax = Extract<RelationSyntax, { kind: 'table' | 'derived' }>;

/** The meaning of names around a SELECT. */
export interface NameEnvironment extends AskedModel {
  readonly dialect: Dialect;
  /** The tables of WITH, the latest last. */
  readonly tables: readonly { readonly name: string; readonly source: FromItem }[];
  /** Whether names refer to a column of an outer SELECT, which a sub-query cannot use. */
  readonly isOutside: (names: readonly NameSyntax[]) => boolean;
  readonly whole: StatementParts;
  /** Reads a source in FROM; returns the same source for the same syntax. Throws a SemanticSqlError. */
  readonly readSource: (environment: NameEnvironment, relation: SourceSyntax) => FromItem;
  /** Throws a SemanticSqlError. */
  readonly translate: (environment: NameEnvironment, query: QuerySyntax) => ResultStatement;
}

/** The current time of a statement: the start of its run. */
export interface StatementClock {
  readonly now: Date;
  /** The positions of functions that read it. */
  readonly uses: Span[];
}

/** The parts of a whole statement. */
interface StatementParts {
  readonly queries: Map<QueryName, ResultStatement>;
  /** The results that are joined with entities, by the `result` of their edges. */
  readonly results: Map<string, JoinedResult>;
  /** Creates a unique name for a sub-query. */
  readonly createName: () => QueryName;
  /** The names of sub-queries, by their SELECT and their key. */
  readonly names: WeakMap<NameEnvironment, Map<string, QueryName>>;
  readonly sources: WeakMap<SourceSyntax, FromItem>;
  readonly warnings: Set<string>;
  readonly clock: StatementClock;
}
