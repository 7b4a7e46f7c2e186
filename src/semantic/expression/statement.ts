import type { DataType } from '../model/model.ts';
import type { SetWord } from '../sql/nodes.ts';
import type { AggregateExpression, Expression, Ordering, QueryName, ResolvedQuery } from './expression.ts';

/** A column of a result. */
export interface ResultColumn {
  readonly name: string;
  readonly dataType: DataType;
  readonly nullable: boolean;
  /** Whether it is NULL as it is written, which has the type of what it stands beside. */
  readonly isNull: boolean;
  /** What a sum of finished groups would not be; null for what may be summed. */
  readonly measure: string | null;
}

/** SQL over results (semantic SQL 3); what reads entities stands in it as a query of its own. */
export interface Statement {
  /** No two of one name, whatever the case. */
  readonly columns: readonly ResultColumn[];
  readonly body: StatementBody;
}

type StatementBody = EntityQuery | ResultSelect | SetOperation | ValueRows;

/** A query over entities. */
export interface EntityQuery {
  readonly kind: 'entities';
  readonly query: ResolvedQuery;
  /** Whether nothing but its columns makes its groups: neither GROUP BY nor DISTINCT, nor a measure. */
  readonly isBare: boolean;
}

/** A SELECT over results. */
export interface ResultSelect {
  readonly kind: 'select';
  readonly distinct: boolean;
  /** Values of the columns, in their order; where rows are grouped, over `grouping`. */
  readonly values: readonly Expression<ResultField>[];
  /** Joined from the left; none for one row without columns. */
  readonly from: readonly ResultJoin[];
  readonly where: Expression<ResultField> | null;
  readonly grouping: ResultGrouping | null;
  readonly orderBy: readonly Ordering<ResultField>[];
  readonly limit: ResolvedQuery['limit'];
}

/** The groups of a SELECT, as a relation called `GROUPS` of keys and aggregates. */
export interface ResultGrouping {
  readonly keys: readonly NamedValue<Expression<ResultField>>[];
  readonly aggregates: readonly NamedValue<AggregateExpression<ResultField>>[];
  readonly having: Expression<ResultField> | null;
}

interface NamedValue<Value> {
  readonly name: string;
  readonly value: Value;
}

/** What fields name that are of groups. */
export const GROUPS = 'groups';

/** A result in FROM, and how it is joined to those before it. */
export interface ResultJoin {
  readonly type: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS';
  readonly relation: ResultRelation;
  /** Null for CROSS, and for the first. */
  readonly on: Expression<ResultField> | null;
}

export interface ResultRelation {
  readonly statement: Statement;
  /** Unique in its SELECT, and such as the dialect takes. */
  readonly alias: string;
  /** The name that WITH gives it; null for what stands in FROM itself. */
  readonly table: string | null;
}

/** A column of a result, by the alias of its relation. */
export interface ResultField {
  readonly relation: string;
  readonly column: string;
  /** The same for the same column. */
  readonly key: string;
}

/** The rows of two results with as many columns. */
export interface SetOperation {
  readonly kind: 'set';
  readonly by: SetWord;
  readonly left: Statement;
  readonly right: Statement;
}

/** Rows of values that are written out. */
export interface ValueRows {
  readonly kind: 'values';
  /** As many in each row as there are columns. */
  readonly rows: readonly (readonly Expression<never>[])[];
}

/** A statement with the sub-queries of its expressions, and what may surprise about it. */
export interface WholeStatement {
  readonly statement: Statement;
  readonly queries: ReadonlyMap<QueryName, Statement>;
  readonly warnings: readonly string[];
}

/** Whether equal rows of entities become one row of a result although the statement has no GROUP BY. */
export function mergesRows({ body }: Statement): boolean {
  switch (body.kind) {
    case 'entities':
      return body.isBare && !hasPrimaryKey(body.query);
    case 'select':
      return body.grouping === null && body.from.some(({ relation }) => mergesRows(relation.statement));
    case 'set':
      return mergesRows(body.left) || mergesRows(body.right);
    case 'values':
      return false;
  }
}

function hasPrimaryKey({ root, keys }: ResolvedQuery): boolean {
  const selected = new Set(
    keys.flatMap(({ use }) => {
      return use.kind === 'dimension' && use.steps.length === 0 && use.owner === root
        ? [use.field.dimension.expr]
        : [];
    }),
  );
  return root?.entity.primaryKey?.every((column) => selected.has(column)) ?? false;
}
