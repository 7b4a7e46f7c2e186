import type { Condition, QueryName } from '../expression/expression.ts';
import type { Statement } from '../expression/statement.ts';
import type { DimensionUse, FieldUse } from '../model/index/field-use.ts';
import type { AskedModel } from '../model/index/index-model.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { NameSyntax, QuerySyntax, RelationSyntax } from '../syntax/syntax.ts';
import type { EntityPlace } from './find-entity.ts';

/** A sub-query that is looked through: columns of entities, and which rows of them there are (semantic SQL 2). */
export interface View {
  readonly entities: readonly EntityPlace[];
  readonly columns: readonly ViewColumn[];
  readonly conditions: readonly Condition<DimensionUse>[];
}

interface ViewColumn {
  readonly name: string;
  readonly use: FieldUse;
}

/** What stands in FROM. */
export type Source =
  | { readonly kind: 'entity'; readonly place: EntityPlace }
  | { readonly kind: 'view'; readonly view: View }
  | {
      readonly kind: 'result';
      readonly statement: Statement;
      /** What its columns are called. */
      readonly names: readonly string[];
      /** The name that WITH gives it. */
      readonly table: string | null;
    };

/** What FROM names, or a sub-query in it. */
export type SourceSyntax = Extract<RelationSyntax, { kind: 'table' | 'derived' }>;

/** What names mean around a SELECT. */
export interface Environment extends AskedModel {
  readonly dialect: Dialect;
  /** What WITH names, the latest last. */
  readonly tables: readonly { readonly name: string; readonly source: Source }[];
  /** Whether names stand for a column of an outer SELECT, which a sub-query cannot name. */
  readonly isOutside: (names: readonly NameSyntax[]) => boolean;
  readonly whole: StatementParts;
  /** What something in FROM is; the same for the same syntax. Throws a SqlRefusal. */
  readonly readSource: (environment: Environment, relation: SourceSyntax) => Source;
  /** Throws a SqlRefusal. */
  readonly translate: (environment: Environment, query: QuerySyntax) => Statement;
}

/** What is found in all of a statement. */
interface StatementParts {
  readonly queries: Map<QueryName, Statement>;
  /** A name that no other sub-query has. */
  readonly createName: () => QueryName;
  /** The names of sub-queries, by the SELECT in which they stand and by what they say. */
  readonly names: WeakMap<Environment, Map<string, QueryName>>;
  readonly sources: WeakMap<SourceSyntax, Source>;
  readonly warnings: Set<string>;
}
