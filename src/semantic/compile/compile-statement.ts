import { elementAt, entryOf } from '../../invariants/must.ts';
import { semanticErrors } from '../errors.ts';
import type { QueryName, TypedExpression } from '../expression/expression.ts';
import {
  type EntityQuery,
  GROUP_RELATION,
  type ResultField,
  type ResultJoin,
  type ResultRelation,
  type ResultSelect,
  type ResultStatement,
  type SetOperation,
  type StatementColumn,
  type ValueRows,
  type WholeStatement,
} from '../expression/statement.ts';
import { isNullLiteral } from '../expression/walk-expression.ts';
import type { ModelIndex } from '../model/index/index-model.ts';
import type { Platform, ValueType } from '../model/model.ts';
import type { Plan } from '../plan/plan.ts';
import { planQuery } from '../plan/plan-query.ts';
import type { Dialect } from '../sql/dialect.ts';
import { DIALECTS } from '../sql/dialects.ts';
import { Names } from '../sql/names.ts';
import {
  type CommonTable,
  createNoValue,
  createSelect,
  createSqlCast,
  type Join,
  NEVER,
  type Order,
  type Relation,
  type Select,
  type SelectItem,
  type SqlExpr,
} from '../sql/nodes.ts';
import { printSql } from '../sql/print-sql.ts';
import { combineLegs } from './combine-legs.ts';
import { compileGroups, writeGroupField } from './compile-groups.ts';
import { listPaths, listWarnings } from './compile-query.ts';
import { type Writing, writeFilter, writeItem, writeValue } from './write-expression.ts';

/** The SQL of a Semantic SQL statement, and its plans. */
export interface CompiledStatement {
  /** One statement, without a semicolon. */
  readonly sql: string;
  /** The plan of each query over entities in the statement. */
  readonly plans: readonly Plan[];
  /** The relationships that the legs use, as `orders: customer → customers`. */
  readonly paths: readonly string[];
  readonly warnings: readonly string[];
  /** The first function of the current time in the statement; null without one. */
  readonly clock: WholeStatement['clock'];
}

interface Options {
  readonly dialect: Platform;
  readonly strict: boolean;
}

/**
 * Compiles a statement over entities and results (docs/reference/semantic-sql.md#from-text-to-sql). Throws a
 * SemanticError `refused`.
 */
export function compileStatement(
  index: ModelIndex,
  whole: WholeStatement,
  { dialect, strict }: Options,
): CompiledStatement {
  const compiler = new StatementCompiler(index, whole, DIALECTS[dialect], strict);
  const select = compiler.compile(whole.statement);
  const { plans, tables } = compiler;
  const legs = plans.flatMap((plan) => plan.legs);
  return {
    sql: printSql(select, DIALECTS[dialect], tables),
    plans,
    paths: legs.flatMap(listPaths),
    warnings: [...new Set([...whole.warnings, ...legs.flatMap(listWarnings)])],
    clock: whole.clock,
  };
}

/** The maximum number of parts united in one SELECT: some platforms limit the operands of UNION ALL. */
const MAX_UNITED = 100;

const texts = new WeakMap<ModelIndex, string>();

/** All SQL of a model, computed once per model. */
function listWritten(index: ModelIndex): string {
  const known = texts.get(index);
  if (known !== undefined) return known;
  const entities = [...index.entities.values()].map(({ entity }) => JSON.stringify(entity).toLowerCase());
  const text = entities.join('\n');
  texts.set(index, text);
  return text;
}

class StatementCompiler {
  readonly plans: Plan[] = [];
  readonly tables: CommonTable[] = [];
  readonly #index: ModelIndex;
  readonly #whole: WholeStatement;
  readonly #dialect: Dialect;
  readonly #strict: boolean;
  /** The WITH names of statements. */
  readonly #named = new Map<ResultStatement, string>();

  constructor(index: ModelIndex, whole: WholeStatement, dialect: Dialect, strict: boolean) {
    this.#index = index;
    this.#whole = whole;
    this.#dialect = dialect;
    this.#strict = strict;
  }

  compile({ columns, body }: ResultStatement): Select {
    switch (body.kind) {
      case 'entities':
        return this.#compileEntities(body);
      case 'select':
        return this.#compileSelect(columns, body);
      case 'set':
        return this.#compileSet(columns, body);
      case 'values':
        return this.#compileValues(columns, body);
    }
  }

  #compileEntities({ query, isLevel }: EntityQuery): Select {
    const dialect = this.#dialect;
    const plan = planQuery(this.#index, query, { dialect, strict: this.#strict });
    this.plans.push(plan);
    // With several legs or levels, a sub-query would be written and run once for each of them.
    const isOnce = plan.legs.length === 1 && !isLevel;
    const writeQuery = (name: QueryName) => {
      const statement = entryOf(this.#whole.queries, name);
      return isOnce ? this.#compileInner(statement) : this.#readTable(statement, 'query');
    };
    const relateResult = (name: string, alias: string) => {
      const { statement, table } = entryOf(this.#whole.results, name);
      return this.#relate({ statement, alias, table: isOnce ? table : (table ?? 'query') });
    };
    return combineLegs(plan, { index: this.#index, dialect, writeQuery, relateResult });
  }

  /** Compiles a statement as a part of another one, where ORDER BY alone has no effect. */
  #compileInner(statement: ResultStatement): Select {
    const select = this.compile(statement);
    return select.limit === null ? { ...select, orderBy: [] } : select;
  }

  /** A SELECT of all columns of a WITH table. */
  #readTable(statement: ResultStatement, wish: string): Select {
    const alias = 'results';
    const items = statement.columns.map(
      ({ name }): SelectItem => ({ alias: name, expr: { kind: 'column', table: alias, name } }),
    );
    return createSelect(this.#relateTable(statement, wish, alias), { items });
  }

  #relateTable(statement: ResultStatement, wish: string, alias: string): Relation {
    const known = this.#named.get(statement);
    const name = known ?? this.#nameTable(wish);
    if (known === undefined) {
      this.#named.set(statement, name);
      this.tables.push({ name, select: this.#compileInner(statement) });
    }
    return { kind: 'table', name: this.#dialect.quoteName(name), alias };
  }

  /** Creates a name that does not occur in the SQL of the model. */
  #nameTable(wish: string): string {
    const written = listWritten(this.#index);
    const names = new Names(this.#dialect, [...this.#named.values()]);
    for (;;) {
      const name = names.create(`with_${wish}`);
      if (!written.includes(name.toLowerCase())) return name;
    }
  }

  #relate({ statement, alias, table }: ResultRelation): Relation {
    if (table !== null) return this.#relateTable(statement, table, alias);
    if (statement.body.kind === 'set' || statement.body.kind === 'values') {
      const { from, items, where } = this.#compileInner(statement);
      const isPlain = where.length === 0 && items.every(({ expr }) => expr.kind === 'column');
      if (isPlain && (from?.kind === 'select' || from?.kind === 'rows')) return { ...from, alias };
    }
    return { kind: 'select', selects: [this.#compileInner(statement)], alias };
  }

  #join({ type, relation, on }: ResultJoin, writing: Writing<ResultField>): Join {
    if (type === 'FULL' && !this.#dialect.hasFullJoin) throw semanticErrors.fullJoin();
    return { type, relation: this.#relate(relation), on: on && writeFilter(on, writing) };
  }

  #compileSelect(columns: readonly StatementColumn[], select: ResultSelect): Select {
    const { grouping, where, from } = select;
    const writing = this.#createWriting(writeColumn);
    const [first, ...others] = from;
    const source = {
      from: first === undefined ? null : this.#relate(first.relation),
      joins: others.map((join) => this.#join(join, writing)),
      where: where === null ? [] : [writeFilter(where, writing)],
    };
    if (grouping === null) return this.#finish(source, columns, select, writing);
    const groups = compileGroups(source, grouping, writing);
    const over = this.#createWriting((field) => writeGroupField(field, grouping));
    const having = grouping.having === null ? [] : [writeFilter(grouping.having, over)];
    return this.#finish({ from: groups, joins: [], where: having }, columns, select, over);
  }

  #createWriting(writeField: Writing<ResultField>['writeField']): Writing<ResultField> {
    const writeQuery = (name: QueryName) => this.#compileInner(entryOf(this.#whole.queries, name));
    return { dialect: this.#dialect, writeField, writeQuery };
  }

  /** Adds the columns of rows or groups, in their order. */
  #finish(
    source: Pick<Select, 'from' | 'joins' | 'where'>,
    columns: readonly StatementColumn[],
    { values, distinct, orderBy, limit }: ResultSelect,
    writing: Writing<ResultField>,
  ): Select {
    const items = columns.map(
      ({ name }, at): SelectItem => ({ alias: name, expr: writeItem(elementAt(values, at), writing) }),
    );
    const placed = orderBy.map((order) => ({ ...order, at: findEqual(values, order.value) }));
    const { textKeys, nullsLast, hidesRelations } = this.#dialect;
    const isHidden = hidesRelations && placed.some(({ at }) => at === -1);
    if (!isHidden && !(distinct && (textKeys !== null || nullsLast !== null))) {
      const orders = placed.map(({ value, at, desc, nullsFirst }): Order => {
        return {
          ...this.#writeOrder(writeValue(value, writing), value.dataType, columns[at]?.name ?? null),
          desc,
          nullsFirst,
        };
      });
      return createSelect(source.from, { ...source, distinct, items, orderBy: orders, limit });
    }
    return this.#wrap({ source, columns, items, placed, distinct, limit }, writing);
  }

  /** As `#finish`, but with the ordered values as columns of a derived table. */
  #wrap({ source, columns, items, placed, distinct, limit }: Wrapped, writing: Writing<ResultField>): Select {
    const names = new Names(
      this.#dialect,
      columns.map(({ name }) => name),
    );
    const hidden = placed.map(({ value, at }): SelectItem | null => {
      return at === -1 ? { alias: names.create('#order'), expr: writeValue(value, writing) } : null;
    });
    const keys = items.map((item, at): SelectItem => {
      return distinct && elementAt(columns, at).dataType === 'TEXT'
        ? { ...item, expr: { kind: 'text-key', expr: item.expr } }
        : item;
    });
    const alias = GROUP_RELATION;
    const inner = createSelect(source.from, {
      ...source,
      distinct,
      items: [...keys, ...hidden.filter((item) => item !== null)],
    });
    const column = (name: string): SqlExpr => ({ kind: 'column', table: alias, name });
    const outer = columns.map(({ name, dataType }): SelectItem => {
      return distinct && dataType === 'TEXT'
        ? { alias: name, expr: { kind: 'key-text', expr: column(name) } }
        : { alias: name, expr: column(name) };
    });
    const orders = placed.map(({ value, at, desc, nullsFirst }, place): Order => {
      const name = columns[at]?.name ?? elementAt(hidden, place)?.alias ?? '';
      const written = elementAt(outer, at === -1 ? 0 : at).expr;
      return {
        ...this.#writeOrder(at === -1 ? column(name) : written, value.dataType, at === -1 ? null : name),
        desc,
        nullsFirst,
      };
    });
    return createSelect(
      { kind: 'select', selects: [inner], alias },
      { items: outer, orderBy: orders, limit },
    );
  }

  /** The byte order of texts is the same on every platform. */
  #writeOrder(expr: SqlExpr, type: ValueType, alias: string | null): Pick<Order, 'alias' | 'expr'> {
    if (type !== 'TEXT' || this.#dialect.textKeys?.toText == null) return { alias, expr };
    return { alias: null, expr: expr.kind === 'key-text' ? expr.expr : { kind: 'text-key', expr } };
  }

  #compileSet(columns: readonly StatementColumn[], body: SetOperation): Select {
    const { by, left } = body;
    const isKept = by.endsWith('ALL');
    if (isKept && by !== 'UNION ALL' && !this.#dialect.sets.keepsDuplicates) throw semanticErrors.setAll(by);
    const alias = 'sides';
    const sides = [...listSides(left, by), body.right];
    const hasKeys = by !== 'UNION ALL' && this.#dialect.textKeys !== null;
    const plain = columns.map(
      ({ name }): SelectItem => ({ alias: name, expr: { kind: 'column', table: alias, name } }),
    );
    let selects = sides.map((side) =>
      convertSide(this.#compileInner(side), side.columns, { columns, hasKeys, dialect: this.#dialect }),
    );
    while (by === 'UNION ALL' && selects.length > MAX_UNITED) {
      selects = toParts(selects).map((part) =>
        createSelect({ kind: 'select', selects: part, alias }, { items: plain }),
      );
    }
    const items = columns.map(({ name, dataType }): SelectItem => {
      const expr: SqlExpr = { kind: 'column', table: alias, name };
      return { alias: name, expr: hasKeys && dataType === 'TEXT' ? { kind: 'key-text', expr } : expr };
    });
    return createSelect({ kind: 'select', selects, by, alias }, { items });
  }

  #compileValues(columns: readonly StatementColumn[], { rows }: ValueRows): Select {
    const writing: Writing<never> = this.#createWriting(writeColumn);
    const alias = 'rows';
    const names = columns.map(({ name }) => name);
    const items = names.map(
      (name): SelectItem => ({ alias: name, expr: { kind: 'column', table: alias, name } }),
    );
    const written = rows.map((row) =>
      columns.map(({ dataType }, at) => writeTyped(elementAt(row, at), dataType, writing)),
    );
    if (written.length === 0) {
      const nothing = columns.map(({ dataType }): SqlExpr => ({ kind: 'no-value', type: dataType }));
      return createSelect({ kind: 'rows', names, rows: [nothing], alias }, { items, where: [NEVER] });
    }
    let level = toParts(written).map((part) =>
      createSelect({ kind: 'rows', names, rows: part, alias }, { items }),
    );
    while (level.length > 1) {
      level = toParts(level).map((selects) => createSelect({ kind: 'select', selects, alias }, { items }));
    }
    return elementAt(level, 0);
  }
}

interface Wrapped extends Pick<ResultSelect, 'distinct' | 'limit'> {
  readonly source: Pick<Select, 'from' | 'joins' | 'where'>;
  readonly columns: readonly StatementColumn[];
  readonly items: readonly SelectItem[];
  /** `at` is the index of the ordered column; -1 for an expression that is not a column. */
  readonly placed: readonly (ResultSelect['orderBy'][number] & { readonly at: number })[];
}

function writeColumn({ relation, column }: ResultField): SqlExpr {
  return { kind: 'column', table: relation, name: column };
}

function toParts<T>(all: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / MAX_UNITED);
  return Array.from({ length: count }, (_, at) => all.slice(at * MAX_UNITED, (at + 1) * MAX_UNITED));
}

function writeTyped(value: TypedExpression<never>, type: ValueType, writing: Writing<never>): SqlExpr {
  if (isNullLiteral(value)) return { kind: 'no-value', type };
  const expr = writeValue(value, writing);
  return value.dataType !== type && MIXED_TYPES.has(type) ? createSqlCast(expr, type) : expr;
}

function findEqual(
  values: readonly TypedExpression<ResultField>[],
  value: TypedExpression<ResultField>,
): number {
  const text = JSON.stringify(value);
  return values.findIndex((value) => JSON.stringify(value) === text);
}

/** The operands of a left-deep chain of the same set operation, so that they need no derived tables. */
function listSides(left: ResultStatement, by: SetOperation['by']): readonly ResultStatement[] {
  const { body } = left;
  const isSame = body.kind === 'set' && body.by === by && by.startsWith('UNION');
  return isSame ? [...listSides(body.left, by), body.right] : [left];
}

/** Types that platforms do not infer for mixed values. */
const MIXED_TYPES: ReadonlySet<ValueType> = new Set<ValueType>(['FLOAT', 'TIMESTAMP', 'DATETIME']);

interface Whole {
  readonly columns: readonly StatementColumn[];
  /** Whether texts are compared by their keys. */
  readonly hasKeys: boolean;
  readonly dialect: Dialect;
}

/** Gives one side of a set operation the names, types and comparison keys of the whole result. */
function convertSide(select: Select, columns: readonly StatementColumn[], whole: Whole): Select {
  const sides = whole.columns.map((column, at) => findConversion(elementAt(columns, at), column, whole));
  const isPlain =
    select.limit === null &&
    whole.columns.every(({ name }, at) => select.items[at]?.alias === name && elementAt(sides, at).isInPlace);
  if (isPlain) {
    return {
      ...select,
      items: select.items.map(({ alias, expr }, at) => ({ alias, expr: elementAt(sides, at).convert(expr) })),
    };
  }
  const alias = 'side';
  const items = whole.columns.map(({ name }, at) => {
    const column: SqlExpr = { kind: 'column', table: alias, name: elementAt(columns, at).name };
    return { alias: name, expr: elementAt(sides, at).convert(column) };
  });
  return createSelect({ kind: 'select', selects: [select], alias }, { items });
}

interface Conversion {
  readonly convert: (expr: SqlExpr) => SqlExpr;
  /** Whether a value can be converted where it is computed: a key then has the same groups. */
  readonly isInPlace: boolean;
}

function findConversion(
  column: StatementColumn,
  { dataType }: StatementColumn,
  { hasKeys, dialect }: Whole,
): Conversion {
  if (column.isNull) return { convert: () => createNoValue(dataType), isInPlace: true };
  // On some platforms a count and other integers have no common type.
  const isCount = !dialect.alignsNumbers && column.dataType === 'INTEGER';
  if (isCount && !MIXED_TYPES.has(dataType)) {
    return { convert: (expr) => createSqlCast(expr, 'INTEGER'), isInPlace: true };
  }
  // On some platforms a DATETIME has several types, which have no common type.
  if (dialect.mixesMoments && column.dataType === 'DATETIME') {
    return { convert: (expr) => createSqlCast(expr, 'DATETIME'), isInPlace: true };
  }
  if (column.dataType !== dataType && MIXED_TYPES.has(dataType)) {
    return { convert: (expr) => createSqlCast(expr, dataType), isInPlace: false };
  }
  if (hasKeys && dataType === 'TEXT')
    return { convert: (expr) => ({ kind: 'text-key', expr }), isInPlace: false };
  return { convert: (expr) => expr, isInPlace: true };
}
