// From the tree of a statement to a resolved query for each SELECT over entities, with a shell of ordinary SQL around
// them. A query knows its outer names by an environment. All queries of a statement share its clock, its results and
// its warnings.

import { elementAt } from '../../invariants/must.ts';
import { convertDate } from '../expression/create-date.ts';
import { findCommonType } from '../expression/functions.ts';
import type {
  JoinedResult,
  ResultStatement,
  StatementColumn,
  WholeStatement,
} from '../expression/statement.ts';
import { isNullLiteral } from '../expression/walk-expression.ts';
import type { AskedModel } from '../model/index/index-model.ts';
import type { ValueType } from '../model/model.ts';
import type { Dialect } from '../sql/dialect.ts';
import { SemanticSqlError } from '../syntax/semantic-sql-error.ts';
import type { CombinationSyntax, QuerySyntax, ValuesSyntax } from '../syntax/syntax.ts';
import { translationTexts } from './messages/translation-texts.ts';
import type { FromItem, NameEnvironment } from './names/environment.ts';
import { readSource, readsResults } from './read-source.ts';
import { findModelZone, translateConstants, translateResults } from './translate-results.ts';
import { translateSelect } from './translate-select.ts';
import { convertDates, wrapResult } from './wrap-result.ts';

/**
 * Translates a Semantic SQL query over entities, results or both (docs/reference/semantic-sql.md#from-text-to-sql), with
 * the time that NOW() returns. Throws a SemanticSqlError.
 */
export function translateStatement(
  asked: AskedModel,
  query: QuerySyntax,
  dialect: Dialect,
  now = new Date(),
): WholeStatement {
  const queries = new Map<string, ResultStatement>();
  const results = new Map<string, JoinedResult>();
  const warnings = new Set<string>();
  const clock = { now, uses: [] };
  let count = 0;
  const createName = () => {
    count += 1;
    return `query ${count}`;
  };
  const environment: NameEnvironment = {
    ...asked,
    dialect,
    tables: [],
    isOutside: () => false,
    whole: { queries, results, createName, warnings, clock, names: new WeakMap(), sources: new WeakMap() },
    readSource,
    translate: translateQuery,
  };
  const statement = translateQuery(environment, query);
  return { statement, queries, results, warnings: [...warnings], clock: clock.uses[0] ?? null };
}

function translateQuery(around: NameEnvironment, query: QuerySyntax): ResultStatement {
  const environment = addTables(around, query);
  const { body } = query;
  switch (body.kind) {
    case 'select':
      return readsResults(environment, query, body)
        ? translateResults(environment, query, body)
        : translateSelect(environment, query, body);
    case 'values':
      return addEnd(query, translateValues(environment, query, body));
    default:
      return addEnd(query, combine(environment, body));
  }
}

function nameSource(source: FromItem, table: string): FromItem {
  if (source.kind === 'view') return { ...source, toResult: () => ({ ...source.toResult(), table }) };
  return source.kind === 'result' ? { ...source, table } : source;
}

/** Each table of WITH is visible to the following parts. */
function addTables(around: NameEnvironment, { tables }: QuerySyntax): NameEnvironment {
  let environment = around;
  for (const { name, columns, query } of tables) {
    const { start, end } = name;
    const source = environment.readSource(environment, {
      ...{ kind: 'derived', query, columns, alias: name, start, end },
    });
    const named = nameSource(source, name.text);
    environment = { ...environment, tables: [...environment.tables, { name: name.text, source: named }] };
  }
  return environment;
}

function combine(
  environment: NameEnvironment,
  { kind, keepsDuplicates, left: first, right: second, start, end }: CombinationSyntax,
): ResultStatement {
  const left = environment.translate(environment, first);
  const right = environment.translate(environment, second);
  if (left.columns.length !== right.columns.length) {
    throw new SemanticSqlError(
      { start, end },
      translationTexts.sideColumns(left.columns.length, right.columns.length),
    );
  }
  const columns = left.columns.map((column, at): StatementColumn => {
    const other = elementAt(right.columns, at);
    const dataType = column.isNull
      ? other.dataType
      : other.isNull
        ? column.dataType
        : findCommonType([column.dataType, other.dataType]);
    if (dataType === null) {
      throw new SemanticSqlError(
        { start, end },
        translationTexts.sideTypes(column.name, column.dataType, other.dataType),
      );
    }
    return {
      name: column.name,
      dataType,
      nullable: column.nullable || other.nullable,
      isNull: column.isNull && other.isNull,
      measure: column.measure ?? other.measure,
    };
  });
  const word = ({ union: 'UNION', intersect: 'INTERSECT', except: 'EXCEPT' } as const)[kind];
  const by = keepsDuplicates ? (`${word} ALL` as const) : word;
  const convert = (side: ResultStatement) => convertDates(side, columns, findModelZone(environment));
  return { columns, body: { kind: 'set', by, left: convert(left), right: convert(right) } };
}

function translateValues(
  environment: NameEnvironment,
  query: QuerySyntax,
  { rows }: ValuesSyntax,
): ResultStatement {
  const [first] = rows;
  const width = first?.length ?? 0;
  const values = rows.map((row) => {
    if (row.length === width) return translateConstants(environment, row);
    throw new SemanticSqlError(row[0] ?? query, translationTexts.rowLength(width));
  });
  const columns = Array.from({ length: width }, (_, at): StatementColumn => {
    const column = values.map((row) => elementAt(row, at));
    const known = column.filter((value) => !isNullLiteral(value)).map(({ dataType }) => dataType);
    const dataType: ValueType | null = known.length === 0 ? 'TEXT' : findCommonType(known);
    const name = `column${at + 1}`;
    if (dataType === null) {
      const [left = '', right = ''] = new Set(known);
      throw new SemanticSqlError(query, translationTexts.sideTypes(name, left, right));
    }
    const nullable = column.some((value) => value.nullable);
    return { name, dataType, nullable, isNull: known.length === 0, measure: null };
  });
  const converted = values.map((row) =>
    row.map((value, at) => {
      const { dataType } = elementAt(columns, at);
      return convertDate(value, dataType, findModelZone(environment));
    }),
  );
  return { columns, body: { kind: 'values', rows: converted } };
}

/** Adds ORDER BY and LIMIT to a statement that is not a SELECT: ordered by its columns. */
function addEnd(query: QuerySyntax, statement: ResultStatement): ResultStatement {
  const { orderBy, limit, offset } = query;
  const isBare = orderBy.length === 0 && limit === null && offset === 0;
  return isBare ? statement : wrapResult(query, statement, { distinct: false });
}
