import type { Span } from '../../text/span.ts';
import type { Expression, MapExpression } from '../syntax/ast.ts';
import { findEntry } from '../syntax/find-entry.ts';

/** An error in the metadata of checks. */
export interface CheckError {
  readonly at: Span;
  readonly message: string;
}

/** When wrong rows fail a test (docs/reference/checks.md#severity). */
export interface Severity {
  /** Whether wrong rows only warn. */
  readonly isWarning: boolean;
  /** More wrong rows than this number, or this percentage of the rows of the block, fail the test. */
  readonly failAbove: { readonly rows: number } | { readonly percent: number };
}

const SEVERITIES = ['error', 'warn'];

/** Reads `:severity` and `:fail_above` of a test or a check, which has no errors. */
export function readSeverity(meta: MapExpression | null): Severity {
  const severity = findEntry(meta, 'severity');
  return {
    isWarning: severity?.kind === 'literal' && severity.value === 'warn',
    failAbove: readLimit(findEntry(meta, 'fail_above')) ?? { rows: 0 },
  };
}

/** The errors of `:severity` and `:fail_above`; only a check can have a percentage. */
export function checkSeverity(meta: MapExpression | null, isCheck: boolean): readonly CheckError[] {
  const severity = findEntry(meta, 'severity');
  const limit = findEntry(meta, 'fail_above');
  if (severity !== null && !isSeverity(severity)) {
    return [{ at: severity, message: '`:severity` must be "error" or "warn"' }];
  }
  if (limit === null) return [];
  if (severity?.kind === 'literal' && severity.value === 'warn') {
    return [{ at: limit, message: '`:fail_above` has no effect with `:severity "warn"`: use one of them' }];
  }
  const read = readLimit(limit);
  if (read === null || (!isCheck && 'percent' in read)) {
    const forms = isCheck
      ? 'a number of rows from 0, or a percentage such as "1 %"'
      : 'a number of rows from 0';
    return [{ at: limit, message: `\`:fail_above\` must be ${forms}` }];
  }
  return [];
}

function isSeverity(expression: Expression): boolean {
  return expression.kind === 'literal' && SEVERITIES.some((one) => one === expression.value);
}

function readLimit(expression: Expression | null): Severity['failAbove'] | null {
  if (expression?.kind !== 'literal') return null;
  const { value } = expression;
  if (typeof value === 'bigint' && value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER)) {
    return { rows: Number(value) };
  }
  const [, percent] = typeof value === 'string' ? (/^(\d+(?:\.\d+)?)\s*%$/.exec(value.trim()) ?? []) : [];
  return percent === undefined || Number(percent) > 100 ? null : { percent: Number(percent) };
}
