import type { Entity, Measure, Model, Relationship } from './model.ts';
import { modelFaults } from './model-faults.ts';
import { printPieces, readExpression } from './read-expression.ts';
import type { Dialect } from './sql/dialect.ts';
import { DIALECTS, type DialectName } from './sql/dialects.ts';
import { createSelect, type Relation, type SqlExpr } from './sql/nodes.ts';
import { printSql } from './sql/print-sql.ts';

/**
 * A question about whether a model and its database agree (semantic 1): `sql` fails where something of the model means
 * nothing to the database, and may give a row where the data are not as the model says.
 */
export interface ModelTest {
  /** What it is about: an entity, or one of its dimensions, measures or relationships. */
  readonly name: string;
  readonly sql: string;
  /** What a row says; null where it says nothing. */
  readonly rowMessage: string | null;
  /** Tests of its parts, which say more of what fails; none for one that says all. */
  readonly parts: readonly ModelTest[];
}

/** A column that no table has. */
const ROW = 'quern_row';
const NEVER: SqlExpr = { kind: 'raw', sql: '1 = 0', atomic: false };
const ONE: SqlExpr = { kind: 'number', text: '1' };
const ROWS: SqlExpr = { kind: 'aggregate', type: 'COUNT', arg: null };
const SEVERAL: SqlExpr = { kind: 'compare', op: '>', left: ROWS, right: ONE };

/** The tests of a sound model, in its order: that its SQL binds, keys tell rows apart, and joins are as declared. */
export function planModelTests({ layers }: Model, dialect: DialectName): readonly ModelTest[] {
  const entities = layers.flatMap(({ domains }) => domains.flatMap((domain) => domain.entities));
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  const print = DIALECTS[dialect];
  return entities.flatMap((entity) => [
    ...planBindings(entity, print),
    ...planKey(entity, print),
    ...entity.relationships.flatMap((own) => planJoins(entity, own, byName.get(own.toEntity)!, print)),
  ]);
}

function toRelation({ source }: Entity, alias: string): Relation {
  return { ...source, alias };
}

function raw(sql: string): SqlExpr {
  return { kind: 'raw', sql: `(${sql})`, atomic: true };
}

/** Something that must mean something to the database. */
interface Part {
  readonly name: string;
  readonly expr: SqlExpr;
}

/** What is computed for each row and what of all rows do not go into one SELECT. */
function planBindings(entity: Entity, dialect: Dialect): readonly ModelTest[] {
  const dimensions = entity.dimensions.filter(({ grain }) => grain === null);
  const rows = [
    ...dimensions.map(({ name, expr }): Part => ({ name, expr: raw(expr) })),
    ...entity.measures.flatMap(listRowParts),
  ];
  const wholes = entity.measures.filter(({ aggregation }) => aggregation === 'CUSTOM');
  const source: Part = { name: '', expr: ONE };
  return [
    planBinding(entity, [source, ...rows], dialect),
    ...(wholes.length === 0
      ? []
      : [
          planBinding(
            entity,
            wholes.map(({ name, expr }) => ({ name, expr: raw(expr) })),
            dialect,
          ),
        ]),
  ];
}

function listRowParts({ name, aggregation, expr, filter }: Measure): readonly Part[] {
  const isPlain = aggregation !== 'CUSTOM' && expr !== '*';
  const filtered: SqlExpr[] = filter === null ? [] : [{ kind: 'case', when: raw(filter), value: ONE }];
  return [...(isPlain ? [raw(expr)] : []), ...filtered].map((each) => ({ name, expr: each }));
}

function planBinding(entity: Entity, all: readonly Part[], dialect: Dialect): ModelTest {
  const test = (name: string, parts: readonly Part[]): ModelTest => {
    const items = parts.map(({ expr }, at) => ({ expr, alias: `c${at}` }));
    const select = createSelect(toRelation(entity, entity.name), { items, where: [NEVER] });
    return { name, sql: printSql(select, dialect), rowMessage: null, parts: [] };
  };
  const parts = all.map((part) =>
    test([entity.name, part.name].filter((name) => name !== '').join('.'), [part]),
  );
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? only : { ...test(entity.name, all), parts };
}

function planKey(entity: Entity, dialect: Dialect): readonly ModelTest[] {
  const { name, primaryKey } = entity;
  if (primaryKey === null) return [];
  const keys = primaryKey.map(raw);
  const select = createSelect(toRelation(entity, name), {
    items: [{ expr: ROWS, alias: 'n' }],
    groupBy: keys,
    having: [SEVERAL],
    limit: { fetch: 1, skip: 0 },
  });
  const rowMessage = modelFaults.keyRepeats(primaryKey);
  return [{ name, sql: printSql(select, dialect), rowMessage, parts: [] }];
}

/** A row on the one side of a join may have only one on a side that is declared to be one. */
function planJoins(
  from: Entity,
  relationship: Relationship,
  to: Entity,
  dialect: Dialect,
): readonly ModelTest[] {
  const { joinType, name } = relationship;
  // The other side of a relationship with itself goes by the name of the relationship.
  const sides: readonly [Side, Side] = [
    { entity: from, alias: from.name },
    { entity: to, alias: from === to ? name : to.name },
  ];
  const forward = joinType === 'ONE_TO_MANY' ? [] : [planJoin(sides, 0, relationship, dialect)];
  const back = joinType === 'MANY_TO_ONE' ? [] : [planJoin(sides, 1, relationship, dialect)];
  return [...forward, ...back];
}

interface Side {
  readonly entity: Entity;
  readonly alias: string;
}

/** Finds a row of the side `start` that has several of the other. */
function planJoin(
  sides: readonly [Side, Side],
  start: 0 | 1,
  { name, joinType, expr }: Relationship,
  dialect: Dialect,
): ModelTest {
  const [from] = sides;
  const [one, other] = start === 0 ? sides : [sides[1], sides[0]];
  const aliases = sides.map(({ alias }) => alias);
  const { written } = readExpression(expr, aliases, dialect.lexis);
  const condition = printPieces(written, aliases.map(dialect.quoteName));
  const row: SqlExpr = { kind: 'window', call: 'ROW_NUMBER', arg: null, partitionBy: [], orderBy: null };
  const rows = createSelect(toRelation(one.entity, one.alias), {
    star: one.alias,
    items: [{ expr: row, alias: ROW }],
  });
  const select = createSelect(
    { kind: 'select', selects: [rows], alias: one.alias },
    {
      items: [{ expr: ROWS, alias: 'n' }],
      joins: [{ type: 'INNER', relation: toRelation(other.entity, other.alias), on: raw(condition) }],
      groupBy: [{ kind: 'column', table: one.alias, name: ROW }],
      having: [SEVERAL],
      limit: { fetch: 1, skip: 0 },
    },
  );
  const rowMessage = modelFaults.severalRows(joinType, one.entity.name, other.entity.name);
  return { name: `${from.entity.name}.${name}`, sql: printSql(select, dialect), rowMessage, parts: [] };
}
