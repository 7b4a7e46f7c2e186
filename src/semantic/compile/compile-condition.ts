import { elementAt } from '../../invariants/must.ts';
import type { RangeBound, ResolvedFilter, Test } from '../expression/expression.ts';
import type { RelationalOperator, SqlExpr } from '../sql/nodes.ts';
import type { CompileContext } from './sql-scope.ts';
import { writeFilter } from './write-expression.ts';

/** One side of a comparison in a condition. */
interface Operand {
  readonly expr: SqlExpr;
  readonly caseSensitive: boolean;
}

/** Compiles a condition, given the SQL of its fields (docs/reference/semantic-queries.md#operators). */
export function compileCondition<Field>(
  condition: ResolvedFilter<Field>,
  toOperand: (field: Field) => Operand,
  context: Pick<CompileContext, 'dialect' | 'writeQuery'>,
): SqlExpr {
  if (condition.kind === 'expression') {
    return writeFilter(condition.expression, { ...context, writeField: (field) => toOperand(field).expr });
  }
  if (condition.kind !== 'test') {
    const parts = condition.parts.map((part) => compileCondition(part, toOperand, context));
    return join(condition.kind, parts);
  }
  const { tests, negated, takesNull } = condition;
  const operand = toOperand(condition.field);
  const parts = tests.map((test) => compileTest(test, operand, negated));
  if (!negated) return join('or', parts);
  const isNull: SqlExpr = { kind: 'null', expr: operand.expr, negated: false };
  return takesNull ? join('or', [join('and', parts), isNull]) : join('and', parts);
}

function join(kind: 'and' | 'or', parts: readonly SqlExpr[]): SqlExpr {
  return parts.length === 1 ? elementAt(parts, 0) : { kind, parts };
}

function compileTest(test: Test, { expr, caseSensitive }: Operand, negated: boolean): SqlExpr {
  switch (test.kind) {
    case 'null':
      return { kind: 'null', expr, negated };
    case 'match':
      return { kind: 'match', how: test.how, expr, text: test.text, caseSensitive, negated };
    case 'in': {
      const { values } = test;
      if (values.length > 1) return { kind: 'in', expr, values, negated };
      return { kind: 'compare', op: negated ? '<>' : '=', left: expr, right: elementAt(values, 0) };
    }
    case 'bounds':
      return join(
        negated ? 'or' : 'and',
        test.bounds.map((bound) => compileBound(bound, expr, negated)),
      );
  }
}

const OPPOSITE: Readonly<Record<RelationalOperator, RelationalOperator>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

function compileBound({ op, value }: RangeBound, expr: SqlExpr, negated: boolean): SqlExpr {
  return { kind: 'compare', op: negated ? OPPOSITE[op] : op, left: expr, right: value };
}
