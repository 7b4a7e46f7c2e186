import { type CompiledStatement, compileStatement } from '../compile/compile-statement.ts';
import { createRows, describeEntities, describeFields } from '../describe/describe-table.ts';
import type { ResultStatement, WholeStatement } from '../expression/statement.ts';
import type { AskedModel } from '../model/index/index-model.ts';
import type { Platform } from '../model/model.ts';
import { findDialect } from '../query/find-dialect.ts';
import type { FieldRef } from '../query/query.ts';
import { DIALECTS } from '../sql/dialects.ts';
import { SemanticSqlError } from '../syntax/semantic-sql-error.ts';
import type { NameSyntax, QuerySyntax, StatementSyntax } from '../syntax/syntax.ts';
import { translationTexts } from './messages/translation-texts.ts';
import { withPlace } from './messages/with-place.ts';
import { findEntity } from './names/find-entity.ts';
import { translateStatement } from './translate-statement.ts';

/**
 * The SQL of statements for the platform of their layer (docs/reference/semantic-sql.md#from-text-to-sql). Throws a
 * SemanticSqlError.
 */
export function answerStatements(
  asked: AskedModel,
  statements: readonly StatementSyntax[],
  options: AnswerOptions,
): readonly CompiledStatement[] {
  return statements.map((statement) => answer(asked, statement, options));
}

interface AnswerOptions {
  /** Whether to refuse overlapping groups. */
  readonly strict: boolean;
  /** The start of the run, which NOW() returns; by default the current time. */
  readonly now?: Date;
}

function answer(asked: AskedModel, statement: StatementSyntax, options: AnswerOptions): CompiledStatement {
  switch (statement.kind) {
    case 'query':
      return compileQuery(asked, statement.query, options);
    case 'explain': {
      const compiled = compileQuery(asked, statement.query, options);
      return { ...compiled, sql: print(asked, explain(compiled), findPlatform(asked, statement.query)) };
    }
    case 'show-entities':
      return show(asked, statement, describeEntities(asked.model));
    case 'show-fields': {
      const entity = statement.entity === null ? null : findShown(asked, statement.entity);
      return show(asked, statement, describeFields(asked, entity));
    }
  }
}

function compileQuery(
  asked: AskedModel,
  query: QuerySyntax,
  { strict, now }: AnswerOptions,
): CompiledStatement {
  const dialect = findPlatform(asked, query);
  const whole = withPlace(query, () => translateStatement(asked, query, DIALECTS[dialect], now));
  return withPlace(query, () => compileStatement(asked.index, whole, { dialect, strict }));
}

/** The SQL, the paths, the plan and the warnings, as rows. */
function explain({ sql, plans, paths, warnings }: CompiledStatement): ResultStatement {
  const rows = [
    ['sql', sql],
    ...paths.map((path) => ['path', path]),
    ...plans.map((plan) => ['plan', JSON.stringify(plan)]),
    ...warnings.map((warning) => ['warning', warning]),
  ];
  return createRows(
    ['line', 'kind', 'text'],
    rows.map((row, at) => [at + 1, ...row]),
  );
}

function show(
  asked: AskedModel,
  { start, end }: StatementSyntax,
  statement: ResultStatement,
): CompiledStatement {
  const platform = withPlace({ start, end }, () => findOnlyPlatform(asked, []));
  return { sql: print(asked, statement, platform), plans: [], paths: [], warnings: [], clock: null };
}

function print(asked: AskedModel, statement: ResultStatement, dialect: Platform): string {
  const whole: WholeStatement = {
    statement,
    queries: new Map(),
    results: new Map(),
    warnings: [],
    clock: null,
  };
  return compileStatement(asked.index, whole, { dialect, strict: false }).sql;
}

/** SHOW FIELDS accepts only an entity. */
function findShown(asked: AskedModel, names: readonly NameSyntax[]): string {
  const { start, steps } = findEntity(asked, names);
  const [name] = names;
  if (steps.length > 0 && name !== undefined) throw new SemanticSqlError(name, translationTexts.showPath());
  return start.entity.name;
}

/** The platform of the entities in a query. */
function findPlatform(asked: AskedModel, query: QuerySyntax): Platform {
  const refs = listTables(query).flatMap((names): readonly FieldRef[] => {
    try {
      return [{ entity: findEntity(asked, names).ref, field: '' }];
    } catch (error) {
      // The translation reports names that are not entities.
      if (error instanceof SemanticSqlError) return [];
      throw error;
    }
  });
  return withPlace(query, () => findOnlyPlatform(asked, refs));
}

function findOnlyPlatform({ model }: AskedModel, dimensions: readonly FieldRef[]): Platform {
  const platforms = new Set(model.layers.map(({ platform }) => platform));
  const [first] = platforms;
  if (dimensions.length === 0 && first !== undefined && platforms.size === 1) return first;
  return findDialect(model, { dimensions, measures: [], filters: [], orderBy: [], limit: null });
}

/** All tables in the FROM clauses of a query. */
function listTables(part: unknown): readonly (readonly NameSyntax[])[] {
  if (Array.isArray(part)) return part.flatMap(listTables);
  if (typeof part !== 'object' || part === null) return [];
  // Skip literals, because a list of values can be very long.
  if ('kind' in part && part.kind === 'literal') return [];
  if ('kind' in part && part.kind === 'table' && 'names' in part && Array.isArray(part.names))
    return [part.names];
  return Object.values(part).flatMap(listTables);
}
