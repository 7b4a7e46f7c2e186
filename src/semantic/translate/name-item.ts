import { elementAt } from '../../invariants/must.ts';
import type { ExpressionSyntax } from '../syntax/syntax.ts';
import { isMeasureCall } from './aggregates.ts';

/** What PostgreSQL calls a column without an alias; MEASURE (m) is called as m is. */
export function nameItem(value: ExpressionSyntax): string {
  return findName(value) ?? '?column?';
}

function findName(value: ExpressionSyntax): string | null {
  switch (value.kind) {
    case 'column':
      return elementAt(value.names, -1).text;
    case 'call': {
      const [arg] = value.args;
      return isMeasureCall(value) && arg !== undefined ? findName(arg) : value.name.text;
    }
    case 'cast':
      return findName(value.operand) ?? value.type.name;
    case 'case':
      return (value.otherwise && findName(value.otherwise)) ?? 'case';
    case 'exists':
      return 'exists';
    default:
      return null;
  }
}
