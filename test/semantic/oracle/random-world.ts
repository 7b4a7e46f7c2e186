import type { JoinType } from '../../../src/semantic/model/model.ts';
import { column } from './expression.ts';
import { toFraction } from './fraction.ts';
import { createRandom, type Random } from './random.ts';
import { createFields } from './random-fields.ts';
import { createCondition, createReference, KINDS, type Link } from './random-links.ts';
import { addSelfRelationship } from './self-relationship.ts';
import { parseDay, parseMoment, type Row, type Value } from './value.ts';
import type { ColumnDef, Edge, EntityDef, World } from './world.ts';

const TABLES = ['orders', 'items', 'customers', 'regions', 'Stores', 'Order Lines', 'visits', 'people'];

const TEXTS = [
  'red',
  'Red',
  'RED',
  'green',
  'blue',
  '',
  'a%b',
  'a_b',
  'axb',
  "it's",
  'x!y',
  'back\\slash',
  '"q"',
];
const RARE_TEXTS = [
  'é',
  'e',
  'É',
  'red ',
  ' red',
  'two\nlines',
  '💛',
  'NULL',
  '%',
  '--',
  'a!_b',
  'naïve',
  'Ω',
];
const DAYS = [
  '2023-12-31',
  '2024-01-01',
  '2024-01-07',
  '2024-01-08',
  '2024-02-29',
  '2024-03-31',
  '2024-12-30',
];
const TIMES = ['00:00:00', '00:00:00.000001', '12:30:00', '23:59:59', '23:59:59.999999'];

/** The columns of every table. */
const COLUMNS: readonly ColumnDef[] = [
  { name: 'id', type: 'INTEGER' },
  { name: 'part', type: 'INTEGER' },
  { name: 'low', type: 'INTEGER' },
  { name: 'high', type: 'INTEGER' },
  { name: 'name', type: 'TEXT' },
  { name: 'qty', type: 'INTEGER' },
  { name: 'amount', type: 'DECIMAL' },
  { name: 'Unit Price', type: 'DECIMAL' },
  { name: 'rate', type: 'FLOAT' },
  { name: 'day', type: 'DATE' },
  { name: 'moment', type: 'DATETIME' },
  { name: 'flag', type: 'BOOLEAN' },
  // An entity also has this name.
  { name: 'orders', type: 'INTEGER' },
  { name: 'k0', type: 'INTEGER' },
  { name: 'p0', type: 'INTEGER' },
  { name: 'k1', type: 'INTEGER' },
  { name: 'p1', type: 'INTEGER' },
];

const SHAPES: readonly (readonly (readonly [child: number, parent: number])[])[] = [
  [[0, 1]],
  [
    [0, 1],
    [0, 2],
  ],
  [
    [0, 1],
    [1, 2],
  ],
  [
    [1, 0],
    [2, 0],
  ],
  [
    [1, 0],
    [2, 0],
    [3, 0],
  ],
  [
    [1, 0],
    [2, 0],
    [0, 3],
  ],
  [
    [1, 0],
    [2, 0],
    [0, 3],
    [4, 3],
  ],
  [
    [1, 0],
    [2, 0],
    [3, 1],
    [0, 4],
  ],
  [
    [1, 0],
    [2, 1],
  ],
  [
    [1, 0],
    [2, 1],
    [3, 2],
  ],
  [
    [1, 0],
    [2, 1],
    [0, 3],
  ],
  [
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 3],
  ],
  [
    [0, 1],
    [1, 2],
    [0, 2],
  ],
  [
    [0, 2],
    [1, 2],
    [0, 3],
    [1, 3],
  ],
  [
    [0, 2],
    [1, 2],
    [2, 3],
  ],
  [
    [0, 1],
    [0, 1],
    [1, 2],
  ],
  [
    [1, 0],
    [2, 1],
    [3, 1],
    [0, 4],
  ],
  [
    [1, 0],
    [2, 1],
    [3, 0],
    [4, 3],
  ],
];

/** Shapes with several tables below one. */
const SIBLINGS = SHAPES.filter((shape) =>
  shape.some(([child, parent]) => {
    const isApart = shape.some(([other, same]) => same === parent && other !== child);
    return isApart && (shape.length < 3 || shape.some(([below]) => below === parent));
  }),
);

/** A value for a column that is not a key, or NULL. */
function createValue({ name, type }: ColumnDef, random: Random): Value {
  if (random.chance(0.15)) return null;
  switch (type) {
    case 'TEXT':
      return random.pick(random.chance(0.75) ? TEXTS : RARE_TEXTS);
    case 'INTEGER':
      return toFraction(random.chance(0.03) ? 9_007_199_254_740_993n : random.int(8) - 2);
    case 'FLOAT':
      return (random.int(16) - 4) / 4;
    case 'DATE':
      return parseDay(random.chance(0.02) ? '9999-12-31' : random.pick(DAYS));
    case 'DATETIME':
      return parseMoment(`${random.pick(DAYS)}T${random.pick(TIMES)}`);
    case 'BOOLEAN':
      return random.chance(0.5);
    default:
      return toFraction(BigInt(random.int(name === 'amount' ? 1000 : 300) - 50), 100n);
  }
}

/** The keys of a parent's rows: unique integers, some of them NULL. */
function createKeys(at: number, random: Random): Row {
  const key = at + 1;
  const isNull = random.chance(0.06);
  return {
    id: isNull ? null : toFraction(key),
    part: isNull ? null : toFraction(key % 2),
    low: isNull ? null : toFraction(key * 10),
    high: isNull ? null : toFraction(key * 10 + 10),
  };
}

/** The number of rows in each table: parents have few. */
function createCounts(tables: number, links: readonly Link[], random: Random): number[] {
  return Array.from({ length: tables }, (_, at) => {
    const isParent = links.some(({ parent }) => parent === at);
    return random.chance(0.03) ? 0 : isParent ? 1 + random.int(5) : 3 + random.int(8);
  });
}

function createRows(at: number, counts: readonly number[], links: readonly Link[], random: Random): Row[] {
  const isParent = links.some(({ parent }) => parent === at);
  const own = links.filter(({ child }) => child === at);
  const used = own.map(() => new Set<number>());
  const rows: Row[] = [];
  for (let i = 0; i < counts[at]!; i++) {
    const plain = Object.fromEntries(COLUMNS.map((one) => [one.name, createValue(one, random)]));
    const references = own.map((link, slot) =>
      createReference(link, counts[link.parent]!, used[slot]!, random),
    );
    rows.push({ ...plain, ...createKeys(i, random), ...Object.assign({}, ...references) });
  }
  const repeated = isParent || own.some(({ one }) => one) ? [] : rows.filter(() => random.chance(0.2));
  return [...rows, ...repeated];
}

function createEdge(link: Link, names: readonly string[], order: number, random: Random): Edge {
  const [child, parent] = [names[link.child]!, names[link.parent]!];
  const on = createCondition(link, child, parent);
  const fromChild = random.chance(0.7);
  const joinType: JoinType = link.one ? 'ONE_TO_ONE' : fromChild ? 'MANY_TO_ONE' : 'ONE_TO_MANY';
  const ends = fromChild ? { from: child, to: parent } : { from: parent, to: child };
  return { name: `r${order}`, ...ends, joinType, on };
}

/** Creates a random model with its rows from a seed. */
export function createWorld(seed: number): World {
  const random = createRandom(seed);
  const shape = random.pick(random.chance(0.6) ? SIBLINGS : SHAPES);
  const size = Math.max(...shape.flat()) + 1 + (random.chance(0.1) ? 1 : 0);
  const names = random.sample(TABLES, size);
  const nulls = random.chance(0.3) ? 0 : 0.1;
  const links = shape.map(([child, parent], at): Link => {
    const one = random.chance(0.08);
    const slot = shape.slice(0, at).filter(([other]) => other === child).length;
    return { child, parent, one, kind: one ? 'simple' : random.pick(KINDS), nulls, slot };
  });
  const counts = createCounts(size, links, random);
  const entities = names.map((name, at): EntityDef => {
    const rows = createRows(at, counts, links, random);
    const ids = rows.map(({ id }) => id);
    const isKeyed =
      !ids.includes(null!) && rows.length === new Set(ids.map((id) => JSON.stringify(id, bigints))).size;
    return {
      name,
      table: `t_${name.toLowerCase().replace(' ', '_')}`,
      columns: COLUMNS,
      rows,
      where: random.chance(0.15) ? { kind: 'is not null', of: column('qty') } : null,
      key: isKeyed && random.chance(0.5) ? (random.chance(0.3) ? ['id', 'part'] : ['id']) : null,
      ...createFields(name, random),
    };
  });
  const edges = links.map((link, at) => createEdge(link, names, at, random));
  return addSelfRelationship({ entities, edges }, seed);
}

const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
