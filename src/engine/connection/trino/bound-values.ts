import { trinoRules } from '../../text/lexical-rules.ts';
import { quoteText } from '../../text/sql-quote.ts';
import { scanSql } from '../../text/sql-scanner.ts';
import type { BoundScalar, BoundValue } from '../contract/bound-value.ts';

export const BEFORE_STATEMENT = "EXECUTE IMMEDIATE '";

/** The statement that runs another one with values, which the server inserts at each `?`. */
export function printExecution(statement: string, values: readonly BoundValue[]): string {
  const used: BoundValue[] = [];
  let text = '';
  let copied = 0;
  for (const { kind, start, end } of scanSql(statement, trinoRules)) {
    const value = kind === 'parameter' ? values[Number(statement.slice(start + 1, end)) - 1] : undefined;
    if (value === undefined) continue;
    // Spaces keep the positions of errors.
    text += statement.slice(copied, start) + '?'.padEnd(end - start);
    copied = end;
    used.push(value);
  }
  text += statement.slice(copied);
  return `${BEFORE_STATEMENT}${quoteText(text).slice(1)} USING ${used.map(printBound).join(', ')}`;
}

/** A value as a literal, which the server reads before the statement. */
function printBound(value: BoundValue): string {
  return 'items' in value ? `ARRAY[${value.items.map(printBound).join(', ')}]` : printScalar(value);
}

function printScalar({ type, text }: BoundScalar): string {
  if (text === null) return type === null ? 'NULL' : `CAST(NULL AS ${TYPES[type]})`;
  switch (type) {
    case 'BOOLEAN':
      return text;
    case 'INTEGER':
      return BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? text : `DECIMAL ${quoteText(text)}`;
    case 'DOUBLE':
      return `CAST(${quoteText(text)} AS DOUBLE)`;
    case 'BINARY':
      return `X'${Buffer.from(text, 'base64').toString('hex')}'`;
    case 'TIMESTAMP':
      return `TIMESTAMP ${quoteText(printTime(text))}`;
    case null:
    case 'STRING':
      return quoteText(text);
    default:
      return `${type} ${quoteText(text)}`;
  }
}

/** `2026-01-15T09:30:00Z` as `2026-01-15 09:30:00 UTC`. */
function printTime(text: string): string {
  return text
    .replace('T', ' ')
    .replace('Z', ' UTC')
    .replace(/(?=[+-]\d\d:\d\d$)/, ' ');
}

/** The names of types for a typed NULL. */
const TYPES = {
  BOOLEAN: 'BOOLEAN',
  INTEGER: 'BIGINT',
  DECIMAL: 'DECIMAL(38, 0)',
  DOUBLE: 'DOUBLE',
  STRING: 'VARCHAR',
  DATE: 'DATE',
  TIME: 'TIME',
  TIMESTAMP: 'TIMESTAMP',
  BINARY: 'VARBINARY',
  JSON: 'JSON',
} as const;
