import type { Alias, JoinExpr, Node, RangeSubselect, RangeVar } from 'libpg-query';
import type { Span } from '../../engine/text/span.ts';
import { isKeyOf } from '../../invariants/narrow.ts';
import { SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type { NameSyntax, RelationSyntax } from './syntax.ts';
import {
  checkFields,
  findNode,
  kindOf,
  listTexts,
  type NodeKind,
  readNames,
  type TreeContext,
} from './tree.ts';

const REFUSED: Readonly<Partial<Record<NodeKind, readonly [what: string, instead: string]>>> = {
  RangeFunction: ['a function in FROM', 'name an entity'],
  RangeTableSample: ['TABLESAMPLE', 'filter with WHERE'],
  RangeTableFunc: ['XMLTABLE', 'name an entity'],
  JsonTable: ['JSON_TABLE', 'name an entity'],
};

/** Reads one part of FROM. Throws a SemanticSqlError. */
export function readRelation(context: TreeContext, node: Node | undefined): RelationSyntax {
  const table = findNode(node, 'RangeVar');
  if (table !== undefined) return readTable(context, table);
  const derived = findNode(node, 'RangeSubselect');
  if (derived !== undefined) return readDerived(context, derived);
  const join = findNode(node, 'JoinExpr');
  if (join !== undefined) return readJoin(context, join);
  const span = context.text.findSpan(findLocation(node));
  const [what, instead] = (node && REFUSED[kindOf(node)]) ?? ['this in FROM', 'name an entity'];
  throw new SemanticSqlError(span, syntaxTexts.feature(what, instead));
}

/** The location of an unsupported relation, from its parts. */
function findLocation(node: Node | undefined): number | undefined {
  const sample = findNode(node, 'RangeTableSample');
  if (sample !== undefined) return sample.location;
  const items = findNode(findNode(node, 'RangeFunction')?.functions?.[0], 'List')?.items;
  return findNode(items?.[0], 'FuncCall')?.location;
}

function readTable(context: TreeContext, table: RangeVar): RelationSyntax {
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
  const columns = listTexts(alias?.colnames).map((name) => context.text.readName(name, span));
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
  const using = listTexts(join.usingClause).map((name) => context.text.readName(name, span));
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
