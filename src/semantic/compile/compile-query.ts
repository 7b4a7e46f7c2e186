// From a query to SQL: resolve the names, plan the legs, write each leg as a SELECT of SQL nodes, combine them, and
// print the nodes in the dialect. No step joins strings of SQL except those that a model's author wrote.

import { semanticErrors } from '../errors.ts';
import type { ResolvedQuery } from '../expression/expression.ts';
import type { ModelIndex } from '../model/index/index-model.ts';
import type { Platform } from '../model/model.ts';
import type { Leg, Plan, PlannedColumn } from '../plan/plan.ts';
import { planQuery } from '../plan/plan-query.ts';
import type { SemanticQuery } from '../query/query.ts';
import { resolveQuery } from '../query/resolve-query.ts';
import { DIALECTS } from '../sql/dialects.ts';
import { printSql } from '../sql/print-sql.ts';
import { combineLegs } from './combine-legs.ts';

interface CompileOptions {
  readonly dialect: Platform;
  /** Whether to refuse overlapping groups: a dimension has several values for one counted row. */
  readonly strict: boolean;
  /**
   * The time that dates such as `yesterday` are relative to. Without it (as for programs), such words are not dates.
   */
  readonly now?: Date | undefined;
}

/** The SQL of a semantic query and its plan (docs/reference/semantic-numbers.md#the-plan). */
export interface CompiledQuery {
  /** One statement, without a semicolon. */
  readonly sql: string;
  readonly columns: readonly PlannedColumn[];
  readonly plan: Plan;
  /** The relationships that each leg uses, as `orders: customer → customers`. */
  readonly paths: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Compiles a semantic query into SQL in which every measure counts each row of its entity once per group
 * (docs/reference/semantic-numbers.md#what-a-measure-counts). Throws a SemanticError.
 */
export function compileQuery(
  index: ModelIndex,
  query: SemanticQuery,
  { dialect, strict, now }: CompileOptions,
): CompiledQuery {
  const resolved = resolveQuery(index, query, DIALECTS[dialect], now ?? null);
  return compileResolved(index, resolved, { dialect, strict });
}

/**
 * Compiles a query with resolved fields. Throws a SemanticError `refused`.
 *
 * @internal
 */
export function compileResolved(
  index: ModelIndex,
  query: ResolvedQuery,
  { dialect: name, strict }: Pick<CompileOptions, 'dialect' | 'strict'>,
): CompiledQuery {
  const dialect = DIALECTS[name];
  const plan = planQuery(index, query, { dialect, strict });
  const sql = printSql(
    combineLegs(plan, { index, dialect, writeQuery: refuseQuery, relateResult: refuseQuery }),
    dialect,
  );
  return {
    sql,
    columns: plan.outputs.map(({ name, dataType, description }) => ({ name, dataType, description })),
    plan,
    paths: plan.legs.flatMap(listPaths),
    warnings: plan.legs.flatMap(listWarnings),
  };
}

/** A semantic query has no sub-queries. */
function refuseQuery(): never {
  throw semanticErrors.resultOnly('sub-query');
}

export function listPaths({ root, joins, exists }: Leg): readonly string[] {
  const branches = [...exists, ...joins.filter((join) => join.kind === 'reduced')];
  const all = [
    ...joins.filter((join) => join.kind === 'join'),
    ...branches.flatMap((branch) => [branch.first, ...branch.joins]),
  ];
  return all.map(({ to, path, alias }) => `${root.entity}: ${to}.${path} → ${alias}`);
}

export function listWarnings({ root, overlapping, measures }: Leg): readonly string[] {
  if (measures.length === 0) return [];
  return overlapping.map((name) => `Groups of ${name} overlap: a row of ${root.entity} may be in several.`);
}
