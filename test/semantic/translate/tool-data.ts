const STATUSES = ['paid', 'Paid', 'open', 'sent', "it's late", null];
const CHANNELS = ['web', 'store', 'Phone', null];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Moments at which days, months or clocks change, in UTC or in New York. */
const EDGES = [
  '2025-03-01T05:00',
  '2025-04-01T00:00',
  '2025-04-01T04:00',
  '2025-11-02T06:00',
  '2025-12-28T05:00',
  '2026-01-01T00:00',
  '2026-01-01T05:00',
  '2026-03-01T05:00',
  '2026-03-08T07:00',
  '2026-03-31T04:00',
  '2026-04-01T00:00',
  '2026-04-01T04:00',
].map((text) => Date.parse(`${text}Z`));

const FIRST = Date.parse('2024-11-03T09:00Z');
const LAST = Date.parse('2026-05-20T21:00Z');

/** Pseudo-random numbers from 0 to `below` - 1, the same in every run. */
function createRandom(): (below: number) => number {
  let state = 20_260_331;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * below);
  };
}

const quote = (text: string | null | undefined) =>
  text === null || text === undefined ? 'NULL' : `'${text.replaceAll("'", "''")}'`;
const print = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

function createOrder(id: number, random: (below: number) => number): readonly (string | number | boolean)[] {
  const at =
    id % 3 === 0
      ? EDGES[random(EDGES.length)]! + (random(7) - 3) * (HOUR / 2)
      : FIRST + random((LAST - FIRST) / 1000) * 1000;
  return [
    id,
    id % 17 === 0 ? 'NULL' : random(13) + 1,
    random(7) + 1,
    quote(STATUSES[random(STATUSES.length)]),
    quote(CHANNELS[random(CHANNELS.length)]),
    id % 11 === 0 ? 'NULL' : `${(random(40) - 2) * 10}.${random(2) * 5}0`,
    id % 7 === 0 ? 'NULL' : random(9) / 7,
    random(6),
    id % 13 === 0 ? 'NULL' : random(2) === 0,
    id % 29 === 0 ? 'NULL' : `TIMESTAMP '${print(at)}'`,
    id % 5 === 0 ? 'NULL' : `DATE '${print(at + random(9) * DAY).slice(0, 10)}'`,
  ];
}

/** Statements that create and fill the tables of the statements of tools, on DuckDB and on PostgreSQL. */
export function createToolTables(): readonly string[] {
  const random = createRandom();
  const first = Array.from({ length: 380 }, (_, at) => createOrder(at + 1, random));
  // Orders that differ in their key alone.
  const again = first.slice(0, 60).map((values, at) => [381 + at, ...values.slice(1)]);
  const orders = [...first, ...again].map((values) => `(${values.join(', ')})`);
  return [
    'CREATE SCHEMA shop',
    `CREATE TABLE shop.base_customers (id INTEGER, name VARCHAR(40), region VARCHAR(40), segment VARCHAR(40), joined_on DATE)`,
    `INSERT INTO shop.base_customers VALUES
      (1, 'Ada', 'north', 'Retail', DATE '2024-01-31'), (2, 'O''Brien', 'north', 'Trade', DATE '2024-02-29'),
      (3, 'Çelik', 'South', 'Retail', DATE '2024-12-31'), (4, 'dora', 'south', NULL, DATE '2025-01-01'),
      (5, '100%_!', NULL, 'Trade', NULL), (6, 'a "b" c', 'east', 'retail', DATE '2025-06-15'),
      (7, 'Łukasz', 'east', 'Trade', DATE '2025-03-31'), (8, '', 'west', 'Retail', DATE '2026-03-31'),
      (9, NULL, 'west', 'Trade', DATE '2026-04-01'), (10, 'ada', 'north', 'Retail', DATE '2025-10-05'),
      (11, 'Zoë', 'far west', NULL, DATE '2025-07-04')`,
    `CREATE TABLE shop.base_products (id INTEGER, title VARCHAR(40), category VARCHAR(40), price DECIMAL(10, 2))`,
    `INSERT INTO shop.base_products VALUES (1, 'Pen', 'office', 1.20), (2, 'desk', 'Office', 219.00),
      (3, 'tea', 'food', 3.50), (4, 'Tea "Earl Grey"', 'food', 7.25), (5, 'lamp', NULL, 45.00), (6, 'pen', 'office', 1.20)`,
    `CREATE TABLE shop.base_orders (id INTEGER, customer_id INTEGER, product_id INTEGER, status VARCHAR(20),
      channel VARCHAR(20), amount DECIMAL(12, 2), discount DOUBLE PRECISION, quantity INTEGER, rush BOOLEAN,
      ordered_at TIMESTAMP, shipped_on DATE)`,
    `INSERT INTO shop.base_orders VALUES ${orders.join(',\n')}`,
  ];
}
