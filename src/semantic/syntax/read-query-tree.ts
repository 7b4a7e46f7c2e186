import type {
  Alias,
  CommonTableExpr,
  JoinExpr,
  Node,
  RangeSubselect,
  RangeVar,
  SelectStmt,
} from 'libpg-query';
import type { Span } from '../../engine/text/span.ts';
import { isKeyOf } from '../../invariants/narrow.ts';
import { isGroupByAll, type ParserText } from './parser-text.ts';
import { readExpression } from './read-expression.ts';
import { readWindow } from './read-window.ts';
import { LIMITS, SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type {
  CombinationSyntax,
  CommonTableSyntax,
  ExpressionSyntax,
  ItemSyntax,
  NameSyntax,
  OrderSyntax,
  QuerySyntax,
  RelationSyntax,
  SelectSyntax,
  ValuesSyntax,
} from './syntax.ts';
import {
  checkFields,
  findNode,
  listStrings,
  type NodeKind,
  nodeKindOf,
  readNames,
  type TreeContext,
} from './tree.ts';

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
    const what =
      ctequery === undefined ? 'statement' : nodeKindOf(ctequery).replace(/Stmt$/, '').toUpperCase();
    throw new SemanticSqlError(span, syntaxTexts.statement(`${what} in WITH`));
  }
  return {
    name: context.text.readName(ctename, span),
    columns: listStrings(aliascolnames).map((name) => context.text.readName(name, span)),
    query: context.readQuery(statement),
  };
}

type Groups = Pick<SelectSyntax, 'groupBy' | 'levels'>;

/** A set of keys, as indexes. */
type Level = readonly number[];

/** Reads GROUP BY. Throws a SemanticSqlError, also for more levels than supported. */
function readGroups(context: TreeContext, list: readonly Node[]): Groups {
  const [only, ...others] = list;
  const [name, ...further] = listStrings(findNode(only, 'ColumnRef')?.fields);
  if (name !== undefined && others.length + further.length === 0) {
    if (isGroupByAll(context.text.readName(name, { start: 0, end: 0 })))
      return { groupBy: 'all', levels: null };
  }
  const reader = new GroupReader(context);
  const levels = reader.readAll(list);
  const hasLevels = list.some((node) => findNode(node, 'GroupingSet') !== undefined);
  return { groupBy: reader.keys, levels: hasLevels ? levels : null };
}

class GroupReader {
  readonly keys: ExpressionSyntax[] = [];
  readonly #context: TreeContext;

  constructor(context: TreeContext) {
    this.#context = context;
  }

  /** The levels of all parts of GROUP BY: each level of one with each level of the others. */
  readAll(parts: readonly Node[]): readonly Level[] {
    let all: readonly Level[] = [[]];
    for (const part of parts) {
      const levels = this.#read(part);
      this.#check(all.length * levels.length, part);
      all = all.flatMap((level) => levels.map((more) => [...level, ...more]));
    }
    return all;
  }

  #read(node: Node): readonly Level[] {
    const set = findNode(node, 'GroupingSet');
    if (set === undefined) return [this.#readKeys(node)];
    const content = set.content ?? [];
    switch (set.kind) {
      case 'GROUPING_SET_ROLLUP': {
        const parts = content.map((part) => this.#readKeys(part));
        this.#check(parts.length + 1, node);
        return [parts, ...parts.map((_, at) => parts.slice(0, parts.length - 1 - at))].map((level) =>
          level.flat(),
        );
      }
      case 'GROUPING_SET_CUBE':
        this.#check(2 ** content.length, node);
        return this.#readCube(content.map((part) => this.#readKeys(part)));
      case 'GROUPING_SET_SETS': {
        let levels: readonly Level[] = [];
        for (const part of content) {
          levels = [...levels, ...this.#read(part)];
          this.#check(levels.length, node);
        }
        return levels;
      }
      default:
        return [[]];
    }
  }

  /** All subsets, those with the first parts first. */
  #readCube(parts: readonly Level[]): readonly Level[] {
    const [first, ...others] = parts;
    if (first === undefined) return [[]];
    const cube = this.#readCube(others);
    return [...cube.map((level) => [...first, ...level]), ...cube];
  }

  /** One key, or several in parentheses. */
  #readKeys(node: Node): Level {
    const parts = findNode(node, 'RowExpr')?.args ?? [node];
    return parts.map((part) => this.keys.push(this.#context.readExpression(part)) - 1);
  }

  #check(count: number, node: Node): void {
    if (count <= LIMITS.levels) return;
    const span = this.#context.text.findSpan(findNode(node, 'GroupingSet')?.location);
    throw new SemanticSqlError(span, syntaxTexts.tooManyLevels());
  }
}

const REFUSED: Readonly<Partial<Record<NodeKind, readonly [what: string, instead: string]>>> = {
  RangeFunction: ['a function in FROM', 'name an entity'],
  RangeTableSample: ['TABLESAMPLE', 'filter with WHERE'],
  RangeTableFunc: ['XMLTABLE', 'name an entity'],
  JsonTable: ['JSON_TABLE', 'name an entity'],
};

/** Reads one part of FROM. Throws a SemanticSqlError. */
function readRelation(context: TreeContext, node: Node | undefined): RelationSyntax {
  const table = findNode(node, 'RangeVar');
  if (table !== undefined) return readRangeVar(context, table);
  const derived = findNode(node, 'RangeSubselect');
  if (derived !== undefined) return readDerived(context, derived);
  const join = findNode(node, 'JoinExpr');
  if (join !== undefined) return readJoin(context, join);
  const span = context.text.findSpan(findLocation(node));
  const [what, instead] = (node && REFUSED[nodeKindOf(node)]) ?? ['this in FROM', 'name an entity'];
  throw new SemanticSqlError(span, syntaxTexts.feature(what, instead));
}

/** The location of an unsupported relation, from its parts. */
function findLocation(node: Node | undefined): number | undefined {
  const sample = findNode(node, 'RangeTableSample');
  if (sample !== undefined) return sample.location;
  const items = findNode(findNode(node, 'RangeFunction')?.functions?.[0], 'List')?.items;
  return findNode(items?.[0], 'FuncCall')?.location;
}

function readRangeVar(context: TreeContext, table: RangeVar): RelationSyntax {
  const { catalogname, schemaname, relname = '', alias, location } = table;
  const names = [catalogname, schemaname, relname].filter((name) => name !== undefined);
  const read = readNames(context, names, location);
  const span = { start: read[0]?.start ?? 0, end: read.at(-1)?.end ?? 0 };
  checkFields(
    table,
    'catalogname schemaname relname inh relpersistence alias location',
    'this form of a table',
    span,
  );
  if (table.inh !== true) throw new SemanticSqlError(span, syntaxTexts.feature('ONLY', 'remove it'));
  if ((alias?.colnames ?? []).length > 0) {
    throw new SemanticSqlError(
      span,
      syntaxTexts.feature('a list of columns after an alias', 'rename columns in SELECT'),
    );
  }
  return { kind: 'table', ...span, names: read, alias: readAlias(context, alias, span) };
}

function readAlias({ text }: TreeContext, alias: Alias | undefined, span: Span): NameSyntax | null {
  return alias === undefined ? null : text.readName(alias.aliasname ?? '', span);
}

function readDerived(context: TreeContext, { lateral, subquery, alias }: RangeSubselect): RelationSyntax {
  const statement = findNode(subquery, 'SelectStmt');
  const whole = context.text.findSpan(undefined);
  if (statement === undefined) throw new SemanticSqlError(whole, syntaxTexts.unsupported('this sub-query'));
  const query = context.readQuery(statement);
  const span = { start: query.start, end: query.end };
  if (lateral === true)
    throw new SemanticSqlError(span, syntaxTexts.feature('LATERAL', 'join results by their columns'));
  const columns = listStrings(alias?.colnames).map((name) => context.text.readName(name, span));
  return { kind: 'derived', ...span, query, alias: readAlias(context, alias, span), columns };
}

const JOINS = {
  JOIN_INNER: 'inner',
  JOIN_LEFT: 'left',
  JOIN_RIGHT: 'right',
  JOIN_FULL: 'full',
} as const;

function readJoin(context: TreeContext, join: JoinExpr): RelationSyntax {
  const left = readRelation(context, join.larg);
  const right = readRelation(context, join.rarg);
  const span = { start: right.start, end: right.end };
  if (join.isNatural === true)
    throw new SemanticSqlError(span, syntaxTexts.feature('NATURAL JOIN', 'write USING (…)'));
  checkFields(join, 'jointype larg rarg usingClause quals', 'an alias of a join', span);
  const type = join.jointype ?? 'JOIN_INNER';
  if (!isKeyOf(JOINS, type)) throw new SemanticSqlError(span, syntaxTexts.unsupported('this join'));
  const on = join.quals === undefined ? null : context.readExpression(join.quals);
  const using = listStrings(join.usingClause).map((name) => context.text.readName(name, span));
  const isCross = type === 'JOIN_INNER' && on === null && using.length === 0;
  return {
    kind: 'join',
    ...span,
    join: isCross ? 'cross' : JOINS[type],
    left,
    right,
    on,
    using,
  };
}
