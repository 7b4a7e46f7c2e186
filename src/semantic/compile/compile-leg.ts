import { elementAt, entryOf, notNull, present } from '../../invariants/must.ts';
import { listConditionFields } from '../expression/condition.ts';
import type { ResolvedFilter } from '../expression/expression.ts';
import { hasSubQuery } from '../expression/walk-expression.ts';
import {
  type AnyMeasure,
  type Leg,
  listKeyFields,
  listMeasureFields,
  type PlannedField,
  type PlannedKey,
  type PlannedMeasure,
  type ReducedJoin,
} from '../plan/plan.ts';
import { Names } from '../sql/names.ts';
import {
  createCount,
  createRowNumber,
  createSelect,
  type Join,
  type Relation,
  type Select,
  type SelectItem,
  type SqlExpr,
} from '../sql/nodes.ts';
import { compileExists, compileReduced } from './compile-branch.ts';
import { compileCondition } from './compile-condition.ts';
import { groupLocalPeriods } from './local-periods.ts';
import { createMiddleMean, isInMiddle, isRanked, type Rank, toPresence } from './rank-values.ts';
import { type CompileContext, SqlScope } from './sql-scope.ts';
import { type Writing, writeCondition, writeValue } from './write-expression.ts';

/** The SELECT of a leg, before its measures become columns. */
export interface CompiledLeg {
  /** Without items, HAVING, order and limit. It is grouped by the dimensions, which must be its first items. */
  readonly select: Select;
  readonly dimensions: readonly SelectItem[];
  readonly measures: readonly SelectItem[];
  /** Whether the measures can be written where a name could also mean the alias of an item. */
  readonly isQualified: boolean;
}

interface LegOptions {
  /** Whether texts are returned and not only compared. The two differ where a dialect compares bytes. */
  readonly isFinal: boolean;
  /** Whether columns must be qualified even with a single entity. */
  readonly isQualified: boolean;
}

/**
 * Compiles one leg of a plan, with one row for each group (docs/reference/semantic-numbers.md#rows-that-joins-repeat).
 */
export function compileLeg(leg: Leg, options: LegOptions, context: CompileContext): CompiledLeg {
  const isAlone =
    leg.joins.length === 0 && !options.isQualified && leg.exists.every(({ keys }) => keys !== null);
  const { alias, entity } = leg.root;
  const joined = leg.joins.flatMap((join) => (join.kind === 'join' ? [join] : []));
  const scope = new SqlScope(leg.root, joined, isAlone, context);
  const custom = leg.measures.filter((measure) => isCustom(measure));
  const isOpaque = custom.some(({ expr }) => !scope.isSimple(alias, expr, 'custom'));
  const comments = leg.overlapping.map(
    (name) => `Groups of ${name} overlap: a row of ${entity} may be in several.`,
  );
  const compiler = new LegCompiler(leg, scope, context);
  const isRows = isOpaque || hasQuery(leg) || leg.measures.some((measure) => isRanked(measure, context));
  if (leg.rows !== 'once' || isRows) {
    return compiler.compileRows(custom.length > 0, options.isFinal, comments);
  }
  const direct = compiler.compileDirectly(options.isFinal, comments);
  const periods = groupLocalPeriods(direct, alias, context);
  return periods ? { ...periods, isQualified: true } : { ...direct, isQualified: !isAlone };
}

/** Whether a grouped or aggregated expression has a sub-query, which some platforms reject there. */
function hasQuery({ dimensions, measures }: Leg): boolean {
  const parts = [
    ...dimensions.map((key) => ('expression' in key ? key.expression : null)),
    ...measures.flatMap((measure) => ('argument' in measure ? [measure.argument, measure.condition] : [])),
  ].filter((part) => part !== null);
  return parts.some(hasSubQuery);
}

/** Whether a measure is a CUSTOM one: its SQL comes from the model unchanged. */
export function isCustom(measure: AnyMeasure): measure is PlannedMeasure {
  return measure.aggregation === 'CUSTOM';
}

/** The rows that a leg's measures aggregate. */
interface Rows {
  readonly relation: Relation;
  readonly where: readonly SqlExpr[];
  argumentOf(measure: AnyMeasure): SqlExpr | null;
}

interface Ranked extends Pick<Rows, 'relation' | 'where'> {
  /** By the column of each measure. */
  readonly ranks: ReadonlyMap<string, Rank>;
}

class LegCompiler {
  readonly #leg: Leg;
  readonly #scope: SqlScope;
  readonly #context: CompileContext;
  readonly #reduced = new Map<ReducedJoin, Join>();
  /** The alias of the reduced branch of each dimension column that comes from one. */
  readonly #branchOf = new Map<string, string>();

  constructor(leg: Leg, scope: SqlScope, context: CompileContext) {
    this.#leg = leg;
    this.#scope = scope;
    this.#context = context;
    for (const join of leg.joins) {
      if (join.kind !== 'reduced') continue;
      this.#reduced.set(join, compileReduced(join, context));
      for (const { column } of join.dimensions) this.#branchOf.set(notNull(column), join.first.alias);
    }
  }

  compileDirectly(isFinal: boolean, comments: readonly string[]): Omit<CompiledLeg, 'isQualified'> {
    const fields = this.#leg.dimensions.map((field) => ({ field, expr: this.#writeKey(field) }));
    const measures = this.#leg.measures.map((measure) => ({
      alias: measure.column,
      expr: this.#aggregate(measure, () => this.#writeArgument(measure)),
    }));
    // After DISTINCT, ORDER BY can use only the items.
    const distinct = measures.length === 0 && (!isFinal || this.#context.dialect.nullsLast === null);
    const isOnce = distinct || this.#context.dialect.groupsRepeatedly;
    const seen = new Set<string>();
    const groupBy: (number | SqlExpr)[] = [];
    const items = fields.map(({ field, expr }, at): SelectItem => {
      const key: SqlExpr = this.#isKey(field) ? { kind: 'text-key', expr } : expr;
      const isBytes = isFinal && this.#hasBytes(field);
      const isRepeated = !isOnce && seen.has(JSON.stringify(key));
      seen.add(JSON.stringify(key));
      if (!isRepeated) groupBy.push(isBytes ? key : at);
      const arg = isFinal ? expr : key;
      const isAggregated = isRepeated || isBytes;
      return {
        alias: notNull(field.column),
        expr: isAggregated ? { kind: 'aggregate', type: 'MIN', arg } : key,
      };
    });
    const source = this.#compileSource([]);
    const select = createSelect(source.from, {
      ...source,
      comments,
      distinct,
      groupBy: distinct ? [] : groupBy,
    });
    return { select, dimensions: items, measures };
  }

  /**
   * Compiles a derived table with each entity row once per group, under the alias of the entity, and the aggregates
   * over it.
   */
  compileRows(isWhole: boolean, isFinal: boolean, comments: readonly string[]): CompiledLeg {
    const { root, measures } = this.#leg;
    const names = new Names(
      this.#context.dialect,
      this.#leg.dimensions.map(({ column }) => notNull(column)),
    );
    const dimensions = this.#leg.dimensions.map((field): SelectItem => {
      const expr = this.#writeKey(field);
      // The columns of whole rows are unknown, so these names must not hide them.
      const alias = isWhole ? names.create(`#${field.column}`) : notNull(field.column);
      return { alias, expr: this.#isKey(field) ? { kind: 'text-key', expr } : expr };
    });
    const rows = isWhole ? this.#listWhole(dimensions, names) : this.#listArguments(dimensions, names);
    const ranked = this.#rank(rows, dimensions, names);
    const column = (name: string): SqlExpr => ({ kind: 'column', table: root.alias, name });
    const outer = dimensions.map(({ alias }, at): SelectItem => {
      const field = elementAt(this.#leg.dimensions, at);
      const isText = isFinal && this.#hasBytes(field);
      return {
        alias: notNull(field.column),
        expr: isText ? { kind: 'key-text', expr: column(alias) } : column(alias),
      };
    });
    const groupBy = dimensions.map(({ alias }, at) =>
      isFinal && this.#hasBytes(elementAt(this.#leg.dimensions, at)) ? column(alias) : at,
    );
    // A single median needs only the rows in the middle. A group without values has one such row.
    const [alone] = measures.length === 1 ? ranked.ranks.values() : [];
    const items = measures.map((measure): SelectItem => {
      const rank = ranked.ranks.get(measure.column);
      const arg = () => rows.argumentOf(measure);
      if (rank === undefined) return { alias: measure.column, expr: this.#aggregate(measure, arg) };
      const value = notNull(arg());
      const middle: SqlExpr = alone ? value : { kind: 'case', when: isInMiddle(rank), value };
      return { alias: measure.column, expr: createMiddleMean(measure, middle) };
    });
    const where = alone ? [...ranked.where, isInMiddle(alone)] : ranked.where;
    const select = createSelect(ranked.relation, { comments, where, groupBy });
    return { select, dimensions: outer, measures: items, isQualified: !isWhole };
  }

  /** Only the arguments of the rows, with DISTINCT where joins can repeat rows. */
  #listArguments(dimensions: readonly SelectItem[], names: Names): Rows {
    const { root, measures, rows } = this.#leg;
    const args = new Map<string, SelectItem>();
    for (const measure of measures) {
      const arg = this.#writeArgument(measure);
      if (arg === null) continue;
      const expr = measure.aggregation === 'COUNT' ? toPresence(arg) : arg;
      args.set(measure.column, { alias: names.create(measure.column), expr });
    }
    const identity = rows === 'once' ? [] : this.#writeIdentity(names);
    const source = this.#compileSource(rows === 'once' || root.primaryKey !== null ? [] : this.#pushDown());
    const items = [...dimensions, ...identity, ...args.values()];
    const select = createSelect(source.from, { ...source, distinct: rows !== 'once', items });
    return {
      relation: { kind: 'select', selects: [select], alias: root.alias },
      where: [],
      argumentOf: ({ column }) => {
        const arg = args.get(column);
        return arg === undefined ? null : { kind: 'column', table: root.alias, name: arg.alias };
      },
    };
  }

  /** The whole rows, numbered where joins can repeat them. */
  #listWhole(dimensions: readonly SelectItem[], names: Names): Rows {
    const { root, measures, rows } = this.#leg;
    const items = [...dimensions];
    const where: SqlExpr[] = [];
    let pushed: readonly ResolvedFilter<PlannedField>[] = [];
    if (rows !== 'once') {
      const identity = this.#writeIdentity(names);
      if (root.primaryKey === null) pushed = this.#pushDown();
      const partitionBy = [
        ...identity.map(({ expr }) => expr),
        ...dimensions.map(({ expr }, at) => this.#toPartition(expr, at)),
      ];
      const alias = names.create('#copy');
      items.push({
        alias,
        expr: createRowNumber(partitionBy),
      });
      const copy: SqlExpr = { kind: 'column', table: root.alias, name: alias };
      where.push({ kind: 'compare', op: '=', left: copy, right: { kind: 'number', text: '1' } });
    }
    const inside = new Map<AnyMeasure, SqlExpr>();
    const { joinsNames } = this.#context.dialect;
    const isInside = (measure: AnyMeasure) =>
      'argument' in measure || !this.#mayStand(measure) || (joinsNames && measure.aggregation !== 'CUSTOM');
    for (const measure of measures.filter(isInside)) {
      const arg = this.#writeArgument(measure);
      if (arg === null) continue;
      const alias = names.create(`#${measure.column}`);
      items.push({ alias, expr: arg });
      inside.set(measure, { kind: 'column', table: root.alias, name: alias });
    }
    const source = this.#compileSource(pushed);
    const select = createSelect(source.from, { ...source, star: root.alias, items });
    const outside = new SqlScope(root, [], true, this.#context, true);
    return {
      relation: { kind: 'select', selects: [select], alias: root.alias },
      where,
      argumentOf: (measure) =>
        inside.get(measure) ?? ('argument' in measure ? null : outside.writeArgument(measure)),
    };
  }

  /** Adds the rank and the count of the values of each group, NULL last, for medians that are found by rank. */
  #rank(rows: Rows, dimensions: readonly SelectItem[], names: Names): Ranked {
    const ranks = new Map<string, Rank>();
    const { alias } = this.#leg.root;
    const column = (name: string): SqlExpr => ({ kind: 'column', table: alias, name });
    const partitionBy = dimensions.map((item, at) => this.#toPartition(column(item.alias), at));
    const items: SelectItem[] = [];
    for (const measure of this.#leg.measures) {
      if (!isRanked(measure, this.#context)) continue;
      const arg = notNull(rows.argumentOf(measure));
      const [place, count] = ['place', 'count'].map((word) => names.create(`#${word}`));
      items.push({ alias: present(place), expr: createRowNumber(partitionBy, arg) });
      const counted = this.#context.dialect.countsColumnsInWindows ? arg : toPresence(arg);
      items.push({ alias: present(count), expr: createCount(counted, partitionBy) });
      ranks.set(measure.column, { place: column(present(place)), count: column(present(count)) });
    }
    if (items.length === 0) return { ...rows, ranks };
    const select = createSelect(rows.relation, { star: alias, items, where: rows.where });
    return { relation: { kind: 'select', selects: [select], alias }, where: [], ranks };
  }

  /** The columns that identify a row of the entity. */
  #writeIdentity(names: Names): readonly SelectItem[] {
    const { alias, primaryKey } = this.#leg.root;
    if (primaryKey === null) {
      return [{ alias: names.create('#row'), expr: this.#scope.compute(alias, createRowNumber([]), 'row') }];
    }
    return primaryKey.map((column) => {
      const expr = this.#scope.write(alias, column, column, 'condition');
      return { alias: names.create(`#${column}`), expr: { kind: 'identity', expr } };
    });
  }

  /**
   * The conditions on the entity alone, which apply before its rows are numbered. Empty where a window function reads
   * all rows.
   */
  #pushDown(): readonly ResolvedFilter<PlannedField>[] {
    const { root, rowFilter, where, dimensions, measures } = this.#leg;
    const fields = [
      ...dimensions.flatMap(listKeyFields),
      ...where.flatMap((condition) => listConditionFields(condition)),
    ].filter(({ alias }) => alias === root.alias);
    const isPlain =
      fields.every(({ expr }) => this.#scope.mayStand(root.alias, expr, 'group')) &&
      measures.every((measure) => this.#mayStand(measure)) &&
      (rowFilter === null || this.#scope.mayStand(root.alias, rowFilter, 'condition'));
    if (!isPlain) return [];
    return where.filter((condition) =>
      listConditionFields(condition).every(({ alias }) => alias === root.alias),
    );
  }

  /** FROM, joins and WHERE; the conditions in `pushed` hold inside the first relation. */
  #compileSource(pushed: readonly ResolvedFilter<PlannedField>[]): Pick<Select, 'from' | 'joins' | 'where'> {
    const { root, rowFilter, joins } = this.#leg;
    const where = this.#leg.where
      .filter((condition) => !pushed.includes(condition))
      .map((condition) =>
        compileCondition(condition, (field) => toOperand(this.#writeDimension(field), field), this.#context),
      );
    const exists = this.#leg.exists.map((branch) => compileExists(branch, this.#scope, this.#context));
    const alone = new SqlScope(root, [], true, this.#context);
    for (const condition of pushed) {
      this.#scope.restrict(
        root.alias,
        compileCondition(condition, (field) => toOperand(alone.writeField(field), field), this.#context),
      );
    }
    const filter =
      rowFilter === null ? [] : [this.#scope.write(root.alias, rowFilter, 'filter', 'condition')];
    const relateJoins = this.#scope.join(joins.filter((join) => join.kind === 'join'));
    const from = this.#scope.relate(root.alias);
    return {
      from,
      joins: [
        ...relateJoins(),
        ...joins.flatMap((join) => (join.kind === 'reduced' ? [entryOf(this.#reduced, join)] : [])),
      ],
      where: [...filter, ...where, ...exists],
    };
  }

  /** Whether the argument of a measure can be written inside its aggregate. */
  #mayStand(measure: AnyMeasure): boolean {
    if ('argument' in measure) {
      const fields = listMeasureFields(measure).filter(({ alias }) => alias === this.#leg.root.alias);
      return fields.every(({ expr }) => this.#scope.mayStand(this.#leg.root.alias, expr, 'group'));
    }
    const { expr, filter, aggregation } = measure;
    const use = aggregation === 'CUSTOM' ? 'custom' : 'aggregate';
    return [expr, filter ?? ''].every((text) => this.#scope.mayStand(this.#leg.root.alias, text, use));
  }

  #isKey({ dataType }: PlannedKey): boolean {
    return dataType === 'TEXT' && this.#context.dialect.textKeys !== null;
  }

  /** Whether the key of a dimension must be converted back to text before it is returned. */
  #hasBytes(field: PlannedKey): boolean {
    return this.#isKey(field) && notNull(this.#context.dialect.textKeys).toText !== null;
  }

  /** The value of a dimension as a PARTITION BY key. */
  #toPartition(expr: SqlExpr, at: number): SqlExpr {
    return elementAt(this.#leg.dimensions, at).dataType === 'FLOAT' ? { kind: 'partition', expr } : expr;
  }

  #writeKey(key: PlannedKey): SqlExpr {
    return 'expression' in key ? writeValue(key.expression, this.#writing()) : this.#writeDimension(key);
  }

  /** The argument of a measure for each row; null for the rows themselves. */
  #writeArgument(measure: AnyMeasure): SqlExpr | null {
    if (!('argument' in measure)) return this.#scope.writeArgument(measure);
    const { argument, condition } = measure;
    const value = argument && writeValue(argument, this.#writing());
    if (condition === null) return value;
    const when = writeCondition(condition, this.#writing());
    return { kind: 'case', when, value: value ?? { kind: 'number', text: '1' } };
  }

  #writing(): Writing<PlannedField> {
    const { dialect, writeQuery } = this.#context;
    return { dialect, writeQuery, writeField: (field) => this.#writeDimension(field) };
  }

  #writeDimension(field: PlannedField): SqlExpr {
    const { column } = field;
    const branch = column === null ? undefined : this.#branchOf.get(column);
    if (branch === undefined) return this.#scope.writeField(field);
    return { kind: 'column', table: branch, name: notNull(column) };
  }

  #aggregate({ aggregation, dataType }: AnyMeasure, argument: () => SqlExpr | null): SqlExpr {
    const arg = argument();
    if (aggregation === 'CUSTOM') return notNull(arg);
    if (dataType === 'TEXT') {
      const ordered: SqlExpr = { kind: 'ordered', expr: notNull(arg) };
      return { kind: 'key-text', expr: { kind: 'aggregate', type: aggregation, arg: ordered } };
    }
    return { kind: 'aggregate', type: aggregation, arg, measure: dataType };
  }
}

function toOperand(expr: SqlExpr, { caseSensitive }: PlannedField) {
  return { expr, caseSensitive };
}
