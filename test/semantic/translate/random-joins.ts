import type { Random } from '../oracle/random.ts';

/** A key of a joined result: in Semantic SQL from orders, and in SQL over the joined tables. */
interface Key {
  readonly semantic: string;
  readonly native: string;
}

const KEYS: readonly Key[] = [
  { semantic: 'orders.status', native: 'o.status' },
  { semantic: '"customers.region"', native: 'c.region' },
  { semantic: '"stores.city"', native: 's.city' },
  { semantic: 'EXTRACT(MONTH FROM orders.ordered_on)', native: 'EXTRACT(MONTH FROM o.ordered_on)' },
  { semantic: "COALESCE(orders.status, 'none')", native: "COALESCE(o.status, 'none')" },
  { semantic: 'orders.id', native: 'o.id' },
];

const TABLES = `shop.orders o LEFT JOIN shop.customers c ON o.customer_id = c.id
  LEFT JOIN shop.stores s ON o.store_id = s.id`;
const ITEMS =
  '(SELECT order_id, SUM(qty) AS q FROM shop.order_items GROUP BY order_id) i ON i.order_id = o.id';

/** The join with one result called `name`. */
function createJoin(random: Random, name: string) {
  const keys = random.sample(KEYS, 1 + random.int(3));
  const columns = keys.map((_, at) => `${name}${at}`);
  const groups = keys.map((_, at) => at + 1).join(', ');
  const list = (write: (key: Key) => string) => keys.map((key, at) => `${write(key)} AS ${columns[at]}`);
  const filter = random.pick([
    { semantic: '', native: '' },
    { semantic: ' HAVING orders > 1', native: ' HAVING COUNT(*) > 1' },
  ]);
  const inner = `SELECT ${list(({ semantic }) => semantic).join(', ')}, revenue AS r, orders AS n FROM orders
    GROUP BY ${groups}${filter.semantic}`;
  const nativeInner = `SELECT ${list(({ native }) => native).join(', ')}, SUM(o.amount) AS r, COUNT(*) AS n
    FROM ${TABLES} GROUP BY ${keys.map(({ native }) => native).join(', ')}${filter.native}`;
  const joinsNull = keys.map(() => random.chance(0.5));
  const semanticOn = keys.map(({ semantic }, at) => {
    const sides = random.sample([semantic, `${name}.${columns[at]}`], 2);
    return sides.join(joinsNull[at] ? ' IS NOT DISTINCT FROM ' : ' = ');
  });
  const nativeOn = keys.map(({ native }, at) => {
    const key = `${name}.${columns[at]}`;
    return joinsNull[at]
      ? `(${native} = ${key} OR (${native} IS NULL AND ${key} IS NULL))`
      : `${native} = ${key}`;
  });
  return {
    columns: [...columns, 'r', 'n'].map((column) => `${name}.${column}`),
    semantic: `JOIN (${inner}) ${name} ON ${semanticOn.join(' AND ')}`,
    native: `JOIN (${nativeInner}) ${name} ON ${nativeOn.join(' AND ')}`,
  };
}

/** A random statement over orders, other entities and one or two results, and SQL that gives the same rows. */
export function createJoinCase(random: Random): { readonly semantic: string; readonly native: string } {
  const joins = ['t', 'u'].slice(0, 1 + random.int(2)).map((name) => createJoin(random, name));
  const columns = joins.flatMap((join) => join.columns);
  const keys = random.sample(
    [...columns.map((column) => ({ semantic: column, native: column })), ...KEYS.slice(0, 4)],
    random.int(3),
  );
  const measures = random.sample(
    [
      { semantic: 'revenue', native: 'SUM(o.amount)' },
      { semantic: 'SUM(t.r)', native: 'SUM(t.r)' },
      { semantic: 'MAX(t.n + orders.amount)', native: 'MAX(t.n + o.amount)' },
      { semantic: 'customers', native: 'COUNT(DISTINCT c.id)' },
      { semantic: 'units', native: 'SUM(i.q)' },
    ],
    3,
  );
  const condition = random.pick([
    { semantic: '', native: '' },
    { semantic: 'WHERE t.n > 1', native: 'WHERE t.n > 1' },
    { semantic: 'WHERE orders.amount > t.r / 3', native: 'WHERE o.amount > t.r / 3' },
    { semantic: "WHERE region = 'north' OR t.n = 1", native: "WHERE c.region = 'north' OR t.n = 1" },
  ]);
  const items = (of: 'semantic' | 'native') =>
    [...keys, { semantic: 'orders', native: 'COUNT(*)' }, ...measures].map(
      (own, at) => `${own[of]} AS x${at}`,
    );
  const groupBy = keys.length === 0 ? '' : `GROUP BY ${keys.map((_, at) => at + 1).join(', ')}`;
  const joined = (of: 'semantic' | 'native') => joins.map((join) => join[of]).join('\n');
  return {
    semantic: `SELECT ${items('semantic').join(', ')} FROM customers, order_items, orders ${joined('semantic')} ${condition.semantic} ${groupBy}`,
    native: `SELECT ${items('native').join(', ')} FROM ${TABLES} LEFT JOIN ${ITEMS} ${joined('native')} ${condition.native} ${groupBy}`,
  };
}
