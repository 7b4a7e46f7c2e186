import { elementAt, present } from '../../invariants/must.ts';
import type { Dialect } from './dialect.ts';
import type { CommonTable, Join, Relation, Select, SelectItem, SetWord, SqlExpr } from './nodes.ts';
import { printExpr } from './print-expr.ts';

const INDENT = '  ';

/**
 * Prints a SELECT in a dialect, on several lines without a final line end. Identifiers and literals are quoted only
 * here.
 */
export function printSql(select: Select, dialect: Dialect, tables: readonly CommonTable[] = []): string {
  const text = `${printTables(tables, dialect)}${printSelect(select, dialect, '')}`;
  return dialect.lastLine === null ? text : `${text}\n${dialect.lastLine}`;
}

function printTables(tables: readonly CommonTable[], dialect: Dialect): string {
  if (tables.length === 0) return '';
  const texts = tables.map(
    ({ name, select }) => `${dialect.quoteName(name)} AS ${printInner([select], dialect, '')}`,
  );
  return `WITH ${texts.join(',\n')}\n`;
}

/** `margin` is the indentation of every line except the first. */
function printSelect(select: Select, dialect: Dialect, margin: string): string {
  const deeper = margin + INDENT;
  const printAt = (at: string) => (expr: SqlExpr) =>
    printExpr(expr, dialect, (inner) => printInner([inner], dialect, at));
  const print = printAt(deeper);
  const lines = [
    ...select.comments.map(printComment),
    `SELECT${select.distinct ? ' DISTINCT' : ''}${printItems(select, dialect, print, deeper)}`,
    ...(select.from === null ? [] : [`FROM ${printRelation(select.from, dialect, margin)}`]),
    ...select.joins.map((join) => printJoin(join, dialect, print, margin)),
    ...printConditions('WHERE', select.where, printAt(margin), print, deeper),
    ...printGroups(select, dialect, print),
    ...printConditions('HAVING', select.having, printAt(margin), print, deeper),
  ];
  if (select.orderBy.length > 0) lines.push(printOrders(select, dialect, print));
  if (select.limit !== null) {
    const { fetch, skip } = select.limit;
    lines.push(dialect.limit(fetch, skip, select.orderBy.length > 0));
  }
  return lines.join(`\n${margin}`);
}

type Print = (expr: SqlExpr) => string;

function printComment(text: string): string {
  return `-- ${text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')}`;
}

function printItems({ star, items }: Select, dialect: Dialect, print: Print, margin: string): string {
  const printItem = ({ expr, alias }: SelectItem) => {
    const text = print(expr);
    const name = dialect.quoteName(alias);
    return expr.kind === 'column' && expr.name === alias ? text : `${text} AS ${name}`;
  };
  const columns = [...(star === null ? [] : [`${dialect.quoteName(star)}.*`]), ...items.map(printItem)];
  if (columns.length === 0) return ' 1';
  const [only] = columns;
  if (columns.length === 1 && !present(only).includes('\n')) return ` ${only}`;
  return `\n${margin}${columns.join(`,\n${margin}`)}`;
}

function printRelation(relation: Relation, dialect: Dialect, margin: string): string {
  const alias = dialect.quoteName(relation.alias);
  switch (relation.kind) {
    case 'table':
      return `${relation.name} AS ${alias}`;
    case 'query':
      return `(\n${indentLine(relation.sql, margin + INDENT)}\n${margin}) AS ${alias}`;
    case 'rows':
      return `${printRows(relation, dialect, margin)} AS ${alias}`;
    case 'select':
      return `${printInner(relation.selects, dialect, margin, relation.by)} AS ${alias}`;
  }
}

/** Each row on a separate line; the first row names the columns. */
function printRows(
  { names, rows }: Extract<Relation, { kind: 'rows' }>,
  dialect: Dialect,
  margin: string,
): string {
  const deeper = margin + INDENT;
  const print = (expr: SqlExpr) => printExpr(expr, dialect, (inner) => printInner([inner], dialect, deeper));
  const texts = rows.map((row, at) => {
    const values = row.map((expr, column) => {
      const name = at === 0 ? ` AS ${dialect.quoteName(elementAt(names, column))}` : '';
      return `${print(expr)}${name}`;
    });
    return `${at === 0 ? '' : 'UNION ALL '}SELECT ${values.join(', ')}`;
  });
  return `(\n${deeper}${texts.join(`\n${deeper}`)}\n${margin})`;
}

/** Only single lines: indentation would change multi-line texts and names. */
function indentLine(sql: string, margin: string): string {
  return sql.includes('\n') ? sql : `${margin}${sql}`;
}

/** SELECTs in parentheses, combined with a set operation. */
function printInner(
  selects: readonly Select[],
  dialect: Dialect,
  margin: string,
  by: SetWord = 'UNION ALL',
): string {
  const deeper = margin + INDENT;
  const texts = selects.map((select) => printSelect(select, dialect, deeper));
  const word = dialect.sets.namesDistinct && !by.endsWith('ALL') ? `${by} DISTINCT` : by;
  return `(\n${deeper}${texts.join(`\n${deeper}${word}\n${deeper}`)}\n${margin})`;
}

function printJoin({ type, relation, on }: Join, dialect: Dialect, print: Print, margin: string): string {
  const joined = `${type} JOIN ${printRelation(relation, dialect, margin)}`;
  return on === null ? joined : `${joined} ON ${print(on)}`;
}

function printConditions(
  word: string,
  parts: readonly SqlExpr[],
  printFirst: Print,
  printNext: Print,
  margin: string,
): readonly string[] {
  if (parts.length === 0) return [];
  const needsOwn = (part: SqlExpr) => part.kind === 'or' || (part.kind === 'raw' && !part.atomic);
  const texts = parts.map((part, at) => {
    const text = (at === 0 ? printFirst : printNext)(part);
    return parts.length > 1 && needsOwn(part) ? `(${text})` : text;
  });
  return [`${word} ${texts.join(`\n${margin}AND `)}`];
}

function printGroups(
  { groupBy, items }: Select,
  { groupsByNumber }: Dialect,
  print: Print,
): readonly string[] {
  if (groupBy.length === 0) return [];
  const texts = groupBy.map((group) => {
    if (typeof group !== 'number') return print(group);
    return groupsByNumber ? String(group + 1) : print(elementAt(items, group).expr);
  });
  return [`GROUP BY ${texts.join(', ')}`];
}

/** NULLs come last in both directions, unless `nullsFirst` is set. */
function printOrders({ orderBy, items }: Select, dialect: Dialect, print: Print): string {
  const printColumn = (name: string) =>
    dialect.ordersByNumber
      ? String(items.findIndex(({ alias }) => alias === name) + 1)
      : dialect.quoteName(name);
  const texts = orderBy.map(({ alias, expr, desc, nullsFirst = false }) => {
    const by = `${alias === null ? print(expr) : printColumn(alias)}${desc ? ' DESC' : ''}`;
    if (dialect.nullsLast === null) return `${by} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`;
    const isNull = dialect.nullsLast(print({ kind: 'null', expr, negated: false }));
    return `${isNull}${nullsFirst ? ' DESC' : ''}, ${by}`;
  });
  return `ORDER BY ${texts.join(', ')}`;
}
