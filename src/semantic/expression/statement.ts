import type { Span } from '../../engine/text/span.ts';
import type { ValueType } from '../model/model.ts';
import type { SetWord } from '../sql/nodes.ts';
import type {
  AggregateExpression,
  Ordering,
  QueryName,
  ResolvedQuery,
  TypedExpression,
} from './expression.ts';

/** A column of a result. */
export interface StatementColumn {
  readonly name: string;
  readonly dataType: ValueType;
  readonly nullable: boolean;
  /** Whether it is a literal NULL, whose type comes from its context. */
  readonly isNull: boolean;
  /** Why finished groups of this measure cannot be summed; null if they can. */
  readonly measure: string | null;
}

/** SQL over results (docs/reference/semantic-sql.md#results). Parts that read entities are separate entity queries. */
export interface ResultStatement {
  /** Names are unique, ignoring case. */
  readonly columns: readonly StatementColumn[];
  readonly body: StatementBody;
}

type StatementBody = EntityQuery | ResultSelect | SetOperation | ValueRows;

/** A query over entities. */
export interface EntityQuery {
  readonly kind: 'entities';
  readonly query: ResolvedQuery;
  /** Whether only its columns define its groups: no GROUP BY, DISTINCT or measure. */
  readonly isBare: boolean;
  /** Whether it is one of several levels, whose conditions have the same sub-queries. */
  readonly isLevel: boolean;
}

/** A SELECT over results. */
export interface ResultSelect {
  readonly kind: 'select';
  readonly distinct: boolean;
  /** The values of the columns, in order; over `grouping` where rows are grouped. */
  readonly values: readonly TypedExpression<ResultField>[];
  /** The joins, from left to right; empty for one row without columns. */
  readonly from: readonly ResultJoin[];
  readonly where: TypedExpression<ResultField> | null;
  readonly grouping: ResultGrouping | null;
  readonly orderBy: readonly Ordering<ResultField>[];
  readonly limit: ResolvedQuery['limit'];
}

/** The groups of a SELECT, as a relation called `GROUP_RELATION` with the keys and aggregates. */
export interface ResultGrouping {
  readonly keys: readonly NamedValue<TypedExpression<ResultField>>[];
  readonly aggregates: readonly NamedValue<AggregateExpression<ResultField>>[];
  readonly having: TypedExpression<ResultField> | null;
}

interface NamedValue<Value> {
  readonly name: string;
  readonly value: Value;
}

/** The relation name of fields that belong to groups. */
export const GROUP_RELATION = 'groups';

/** A result in FROM, and its join with the results before it. */
export interface ResultJoin {
  readonly type: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS';
  readonly relation: ResultRelation;
  /** Null for CROSS JOIN and for the first result. */
  readonly on: TypedExpression<ResultField> | null;
}

export interface ResultRelation {
  readonly statement: ResultStatement;
  /** Unique in its SELECT, and valid in the dialect. */
  readonly alias: string;
  /** The name in WITH; null for a result written in FROM. */
  readonly table: string | null;
}

/** A column of a result, by the alias of its relation. */
export interface ResultField {
  readonly relation: string;
  readonly column: string;
  /** Equal for equal columns. */
  readonly key: string;
}

/** The set operation of two results with the same number of columns. */
export interface SetOperation {
  readonly kind: 'set';
  readonly by: SetWord;
  readonly left: ResultStatement;
  readonly right: ResultStatement;
}

/** Rows of literal values. */
export interface ValueRows {
  readonly kind: 'values';
  /** Each row has one value per column. */
  readonly rows: readonly (readonly TypedExpression<never>[])[];
}

/** A result that is joined with an entity. */
export type JoinedResult = Pick<ResultRelation, 'statement' | 'table'>;

/** A statement with the sub-queries of its expressions and its warnings. */
export interface WholeStatement {
  readonly statement: ResultStatement;
  readonly queries: ReadonlyMap<QueryName, ResultStatement>;
  /** By the `result` of their edges. */
  readonly results: ReadonlyMap<string, JoinedResult>;
  readonly warnings: readonly string[];
  /** The first function of the current time, such as NOW(); null without one. */
  readonly clock: Span | null;
}

/** Whether equal rows of entities merge into one result row although the statement has no GROUP BY. */
export function mergesRows({ body }: ResultStatement): boolean {
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
