import type { CommonTableExpr, Node, SelectStmt } from 'libpg-query';
import type { Span } from '../../engine/text/span.ts';
import type { ParserText } from './parser-text.ts';
import { readExpression } from './read-expression.ts';
import { readGroups } from './read-groups.ts';
import { readRelation } from './read-relation.ts';
import { readWindow } from './read-window.ts';
import { SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type {
  CombinationSyntax,
  CommonTableSyntax,
  ItemSyntax,
  OrderSyntax,
  QuerySyntax,
  SelectSyntax,
  ValuesSyntax,
} from './syntax.ts';
import { checkFields, findNode, kindOf, listTexts, type TreeContext } from './tree.ts';

/** Reads a statement of the parser's tree. Throws a SemanticSqlError for unsupported syntax. */
export function readQueryTree(text: ParserText, statement: SelectStmt): QuerySyntax {
  const context: TreeContext = {
    text,
    readExpression: (node) => readExpression(context, node),
    readOrder: (list) => readOrder(context, list),
    readQuery: (inner) => readQuery(context, inner),
  };
  return context.readQuery(statement);
}

const FIELDS =
  'distinctClause targetList fromClause whereClause groupClause havingClause windowClause valuesLists sortClause ' +
  'limitOffset limitCount limitOption withClause op all larg rarg';

function readQuery(context: TreeContext, statement: SelectStmt): QuerySyntax {
  const body = readBody(context, statement);
  const span = { start: body.start, end: body.end };
  checkClauses(context, statement, span);
  return {
    ...span,
    tables: readTables(context, statement),
    body,
    orderBy: readOrder(context, statement.sortClause),
    limit: readRows(context, statement.limitCount, 'LIMIT'),
    offset: readRows(context, statement.limitOffset, 'OFFSET') ?? 0,
  };
}

function checkClauses({ text }: TreeContext, statement: SelectStmt, span: Span): void {
  const refuse = (word: string, what: string, instead: string): never => {
    throw new SemanticSqlError(text.findWord(word), syntaxTexts.feature(what, instead));
  };
  if (statement.intoClause !== undefined)
    refuse('into', 'SELECT INTO', 'Semantic SQL only reads: remove INTO');
  if (statement.lockingClause !== undefined) refuse('for', 'FOR UPDATE or FOR SHARE', 'remove it');
  if (statement.limitOption === 'LIMIT_OPTION_WITH_TIES') refuse('ties', 'WITH TIES', 'write ONLY');
  if (statement.groupDistinct === true) refuse('group', 'GROUP BY DISTINCT', 'remove DISTINCT');
  checkFields(statement, FIELDS, 'this form of SELECT', span);
}

function readBody(
  context: TreeContext,
  statement: SelectStmt,
): SelectSyntax | ValuesSyntax | CombinationSyntax {
  const { op = 'SETOP_NONE', larg, rarg } = statement;
  if (op !== 'SETOP_NONE' && larg !== undefined && rarg !== undefined) {
    const left = context.readQuery(larg);
    const right = context.readQuery(rarg);
    const kind = ({ SETOP_UNION: 'union', SETOP_INTERSECT: 'intersect', SETOP_EXCEPT: 'except' } as const)[
      op
    ];
    return { kind, start: left.start, end: right.end, keepsDuplicates: statement.all === true, left, right };
  }
  return statement.valuesLists === undefined
    ? readSelect(context, statement)
    : readValues(context, statement.valuesLists);
}

function readValues(context: TreeContext, lists: readonly Node[]): ValuesSyntax {
  const rows = lists.map((list) =>
    (findNode(list, 'List')?.items ?? []).map((item) => context.readExpression(item)),
  );
  return { kind: 'values', ...cover(context, rows[0] ?? []), rows };
}

function readSelect(context: TreeContext, statement: SelectStmt): SelectSyntax {
  const items = (statement.targetList ?? []).map((item) => readItem(context, item));
  const span = cover(context, items);
  if (items.length === 0)
    throw new SemanticSqlError(span, syntaxTexts.unsupported('SELECT without a column'));
  const distinct = statement.distinctClause;
  if (distinct?.some((node) => Object.keys(node).length > 0)) {
    throw new SemanticSqlError(span, syntaxTexts.feature('DISTINCT ON', 'group by those columns'));
  }
  return {
    kind: 'select',
    ...span,
    isDistinct: distinct !== undefined,
    items,
    from: (statement.fromClause ?? []).map((node) => readRelation(context, node)),
    where: statement.whereClause === undefined ? null : context.readExpression(statement.whereClause),
    ...readGroups(context, statement.groupClause ?? []),
    having: statement.havingClause === undefined ? null : context.readExpression(statement.havingClause),
    windows: (statement.windowClause ?? []).map((node) =>
      readWindow(context, findNode(node, 'WindowDef') ?? {}),
    ),
  };
}

/** The span from the first to the last of some spans. */
function cover({ text }: TreeContext, spans: readonly Span[]): Span {
  const [first, last] = [spans[0], spans.at(-1)];
  return first === undefined || last === undefined
    ? text.findSpan(undefined)
    : { start: first.start, end: last.end };
}

function readItem(context: TreeContext, node: Node): ItemSyntax {
  const item = findNode(node, 'ResTarget') ?? {};
  const span = context.text.findSpan(item.location);
  const value = context.readExpression(item.val);
  const alias = item.name === undefined ? null : context.text.readName(item.name, span);
  return { start: span.start, end: Math.max(span.end, value.end), value, alias };
}

function readOrder(context: TreeContext, list: readonly Node[] | undefined): readonly OrderSyntax[] {
  return (list ?? []).map((node) => {
    const { node: value, sortby_dir: direction, sortby_nulls: nulls } = findNode(node, 'SortBy') ?? {};
    const read = context.readExpression(value);
    if (direction === 'SORTBY_USING') {
      throw new SemanticSqlError(read, syntaxTexts.feature('ORDER BY … USING', 'write ASC or DESC'));
    }
    return {
      value: read,
      isDescending: direction === 'SORTBY_DESC',
      nulls: nulls === 'SORTBY_NULLS_FIRST' ? 'first' : nulls === 'SORTBY_NULLS_LAST' ? 'last' : null,
    };
  });
}

/** Null for all rows. */
function readRows(context: TreeContext, node: Node | undefined, clause: 'LIMIT' | 'OFFSET'): number | null {
  if (node === undefined) return null;
  const value = context.readExpression(node);
  if (value.kind === 'literal' && value.type === 'null') return null;
  const rows = value.kind === 'literal' && value.type === 'integer' ? Number(value.text) : Number.NaN;
  if (!Number.isSafeInteger(rows)) throw new SemanticSqlError(value, syntaxTexts.rows(clause));
  if (rows < 0) throw new SemanticSqlError(value, syntaxTexts.negativeRows(clause));
  return rows;
}

function readTables(context: TreeContext, { withClause }: SelectStmt): readonly CommonTableSyntax[] {
  if (withClause === undefined) return [];
  const span = context.text.findSpan(withClause.location);
  if (withClause.recursive === true) {
    throw new SemanticSqlError(
      span,
      syntaxTexts.feature('WITH RECURSIVE', 'only sub-queries that do not refer to themselves are supported'),
    );
  }
  return (withClause.ctes ?? []).map((node) => readTable(context, findNode(node, 'CommonTableExpr') ?? {}));
}

function readTable(context: TreeContext, table: CommonTableExpr): CommonTableSyntax {
  const span = context.text.findSpan(table.location);
  checkFields(table, 'ctename aliascolnames ctematerialized ctequery location', 'this form of WITH', span);
  const { ctename = '', aliascolnames, ctequery } = table;
  const statement = findNode(ctequery, 'SelectStmt');
  if (statement === undefined) {
    const what = ctequery === undefined ? 'statement' : kindOf(ctequery).replace(/Stmt$/, '').toUpperCase();
    throw new SemanticSqlError(span, syntaxTexts.statement(`${what} in WITH`));
  }
  return {
    name: context.text.readName(ctename, span),
    columns: listTexts(aliascolnames).map((name) => context.text.readName(name, span)),
    query: context.readQuery(statement),
  };
}
