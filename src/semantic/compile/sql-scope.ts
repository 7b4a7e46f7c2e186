import { elementAt, entryOf } from '../../invariants/must.ts';
import { semanticErrors } from '../errors.ts';
import type { QueryName } from '../expression/expression.ts';
import { findExpression, type ModelIndex } from '../model/index/index-model.ts';
import { type ModelExpression, printPieces } from '../model/read-model-expression.ts';
import type { PlannedEntity, PlannedField, PlannedJoin, PlannedMeasure } from '../plan/plan.ts';
import type { Dialect } from '../sql/dialect.ts';
import { Names } from '../sql/names.ts';
import {
  createSelect,
  type Join,
  type Relation,
  type Select,
  type SelectItem,
  type SqlExpr,
} from '../sql/nodes.ts';
import { writeFilter } from './write-expression.ts';

/** The inputs of the compilation of a statement. */
export interface CompileContext {
  readonly index: ModelIndex;
  readonly dialect: Dialect;
  /** The SELECT of a sub-query in an expression. */
  readonly writeQuery: (name: QueryName) => Select;
  /** The relation of a result that is joined with an entity. */
  readonly relateResult: (name: string, alias: string) => Relation;
}

/** How an expression is used, which decides which SQL is allowed there. */
type Use = 'group' | 'aggregate' | 'condition' | 'custom';

interface Member {
  readonly entity: PlannedEntity;
  readonly computed: Map<string, SelectItem>;
  readonly where: SqlExpr[];
  readonly names: Names;
}

/**
 * The entities of one FROM clause. It also decides how to write the model's expressions
 * (docs/reference/semantic-numbers.md#model-expressions-in-sql): unchanged for a single entity, otherwise qualified,
 * otherwise computed in a derived table of the entity.
 */
export class SqlScope {
  readonly #context: CompileContext;
  readonly #first: PlannedEntity;
  readonly #isAlone: boolean;
  readonly #isQualified: boolean;
  readonly #members = new Map<string, Member>();

  /**
   * A single entity has no other entities in its FROM, so its columns need no qualifiers, unless it is a derived table
   * with joins inside (`isDerived`).
   */
  constructor(
    first: PlannedEntity,
    joins: readonly PlannedEntity[],
    isAlone: boolean,
    context: CompileContext,
    isDerived = false,
  ) {
    this.#context = context;
    this.#first = first;
    this.#isAlone = isAlone;
    this.#isQualified = isDerived && context.dialect.joinsNames;
    for (const entity of [first, ...joins]) {
      const names = new Names(context.dialect);
      this.#members.set(entity.alias, { entity, computed: new Map(), where: [], names });
    }
  }

  has(alias: string): boolean {
    return this.#members.has(alias);
  }

  /** Writes an expression over the columns of an entity in this scope. */
  write(alias: string, text: string, label: string, use: Use): SqlExpr {
    const simple = this.#writeSimple(alias, text, use);
    return simple ?? this.compute(alias, this.#writeAsIs(alias, text), label);
  }

  /** Whether an expression can be written here without a derived table. */
  isSimple(alias: string, text: string, use: Use): boolean {
    return this.#writeSimple(alias, text, use) !== null;
  }

  /**
   * Whether an expression is allowed at its use. If not, it must be a column of a derived table: a window function
   * reads all rows of its entity, whatever the query filters.
   */
  mayStand(alias: string, text: string, use: Use): boolean {
    if (use === 'custom') return true;
    const { hasColumn, hasQuery, hasWindow } = this.#read(text, [
      entryOf(this.#members, alias).entity.entity,
    ]);
    if (hasWindow) return false;
    if (!this.#context.dialect.groupsColumnsOnly || use === 'condition') return true;
    return !hasQuery && (hasColumn || use === 'aggregate');
  }

  /** Writes a dimension; it is NULL where its entity is absent. */
  writeField(field: PlannedField): SqlExpr {
    const { alias, expr, name, grain, timezone, isMoment } = field;
    const { entity } = entryOf(this.#members, alias);
    if (entity.source.kind === 'result') return { kind: 'column', table: alias, name };
    const written = this.write(alias, expr, name, 'group');
    if (grain === null) return written;
    const { zones, platform } = this.#context.dialect;
    if (timezone !== null && zones === null) {
      throw semanticErrors.timezone(`${field.entity}.${name}`, platform);
    }
    const local: SqlExpr = { kind: 'local', expr: written, timezone, isValue: false };
    return { kind: 'grain', unit: grain, expr: isMoment ? local : written };
  }

  /**
   * Writes the argument of a measure over the first entity: null for the rows themselves, the whole expression for
   * CUSTOM.
   */
  writeArgument({ expr, filter, aggregation, name }: PlannedMeasure): SqlExpr | null {
    const { alias } = this.#first;
    const isRow = aggregation === 'COUNT' && expr.trim() === '*';
    const use = aggregation === 'CUSTOM' ? 'custom' : 'aggregate';
    if (filter === null) return isRow ? null : this.write(alias, expr, name, use);
    const isSimple = this.isSimple(alias, filter, use) && (isRow || this.isSimple(alias, expr, use));
    const write = (text: string) =>
      isSimple ? this.write(alias, text, name, use) : this.#writeAsIs(alias, text);
    const value: SqlExpr = isRow ? { kind: 'number', text: '1' } : write(expr);
    const chosen: SqlExpr = { kind: 'case', when: write(filter), value };
    return isSimple ? chosen : this.compute(alias, chosen, name);
  }

  /** Adds a computed column to the derived table of an entity. */
  compute(alias: string, expr: SqlExpr, label: string): SqlExpr {
    const { computed, names } = entryOf(this.#members, alias);
    const key = JSON.stringify(expr);
    const known = computed.get(key);
    const item = known ?? { expr, alias: names.create(`${alias}.${label}`) };
    if (known === undefined) computed.set(key, item);
    return { kind: 'column', table: alias, name: item.alias };
  }

  /** Filters the rows of an entity before any other step. */
  restrict(alias: string, condition: SqlExpr): void {
    entryOf(this.#members, alias).where.push(condition);
  }

  /** The relation of an entity in FROM. Call it after everything else is written. */
  relate(alias: string): Relation {
    const { entity, computed, where } = entryOf(this.#members, alias);
    if (entity.source.kind === 'result') return this.#context.relateResult(entity.source.name, alias);
    const relation: Relation =
      entity.source.kind === 'table'
        ? { kind: 'table', name: entity.source.name, alias }
        : { kind: 'query', sql: entity.source.sql, alias };
    if (computed.size === 0 && where.length === 0) return relation;
    const items = [...computed.values()];
    return { kind: 'select', selects: [createSelect(relation, { star: alias, items, where })], alias };
  }

  /** Writes the conditions of joins; the relations of the joins follow, after everything else is written. */
  join(joins: readonly PlannedJoin[]): () => readonly Join[] {
    const conditions = joins.map((join) => this.writeCondition(join));
    return () =>
      joins.map(({ alias, isInner }, at): Join => {
        const type = isInner ? 'INNER' : 'LEFT';
        return { type, relation: this.relate(alias), on: elementAt(conditions, at) };
      });
  }

  /** The condition of a join. */
  writeCondition(join: PlannedJoin): SqlExpr {
    if (join.source.kind !== 'result') return this.#writeModelled(join);
    const { dialect, writeQuery } = this.#context;
    const writing = { dialect, writeQuery, writeField: (field: PlannedField) => this.writeField(field) };
    const parts = join.on.map((condition) => writeFilter(condition, writing));
    return parts.length > 1 ? { kind: 'and', parts } : elementAt(parts, 0);
  }

  #writeModelled({ condition, names, aliases, entity, path }: PlannedJoin): SqlExpr {
    const expression = this.#read(condition, names);
    if (![0, 1].every((side) => expression.written.includes(side))) {
      throw semanticErrors.oneSided(entity, path);
    }
    const sql = printPieces(expression.written, aliases.map(this.#context.dialect.quoteName));
    // The condition needs no parentheses where only AND surrounds it.
    return { kind: 'raw', sql, atomic: expression.isAtomic || expression.equalities !== null };
  }

  #writeSimple(alias: string, text: string, use: Use): SqlExpr | null {
    if (!this.mayStand(alias, text, use)) return null;
    const { entity } = entryOf(this.#members, alias);
    const { qualified, isStrict, isAtomic, bare } = this.#read(text, [entity.entity]);
    const isRow = this.#context.dialect.readsRows && bare.has(alias.toLowerCase());
    const isBare = qualified === null || !(isRow || this.#isQualified);
    if (this.#isAlone && isBare) return this.#writeAsIs(alias, text);
    if (qualified === null || (alias !== this.#first.alias && !isStrict)) return null;
    const sql = printPieces(qualified, [this.#context.dialect.quoteName(alias)]);
    return { kind: 'raw', sql, atomic: isAtomic };
  }

  #writeAsIs(alias: string, text: string): SqlExpr {
    const { entity } = entryOf(this.#members, alias);
    const { written, isAtomic } = this.#read(text, [entity.entity]);
    return {
      kind: 'raw',
      sql: printPieces(written, [this.#context.dialect.quoteName(alias)]),
      atomic: isAtomic,
    };
  }

  #read(text: string, names: readonly string[]): ModelExpression {
    return findExpression(this.#context.index, text, names, this.#context.dialect.lexicalRules);
  }
}
