import type { LexicalRules } from '../../engine/text/lexical-rules.ts';
import { qualifySql, quoteQualifier } from '../import/draft/foreign-sql.ts';
import { type Aggregate, printAggregate } from '../model/aggregate-functions.ts';

/** The expression of a metric of Ossie. */
interface MetricExpression {
  readonly text: string;
  /** Whether its dataset qualifies every column. */
  readonly isQualified: boolean;
}

/** Prints a measure as a metric of Ossie; null for a CUSTOM measure with a filter. */
export function printOssieMetric(
  entity: string,
  { aggregation, expr, filter }: Aggregate,
  lexicalRules: LexicalRules,
): MetricExpression | null {
  if (expr.trim() === '*') {
    if (filter === null)
      return { text: `COUNT(${quoteQualifier(entity, lexicalRules)}.*)`, isQualified: true };
    const rows = qualifySql(filter, entity, lexicalRules);
    const text = printAggregate({ aggregation, expr, filter: rows ?? filter });
    return text === null ? null : { text, isQualified: rows !== null };
  }
  const row = qualifySql(expr, entity, lexicalRules);
  const rows = filter === null ? null : qualifySql(filter, entity, lexicalRules);
  const text = printAggregate({ aggregation, expr: row ?? expr, filter: rows ?? filter });
  if (text === null) return null;
  const isNamed = /\./.test(text);
  return { text, isQualified: isNamed && row !== null && (filter === null || rows !== null) };
}
