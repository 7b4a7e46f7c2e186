import type { Source } from '../src/engine/text/source.ts';
import type { Platform } from '../src/semantic/model/model.ts';

/** A platform on which a bench can create a database. */
export type ShopPlatform = Extract<Platform, 'duckdb' | 'postgresql'>;

/**
 * Fills a database with 600,000 lines of 150,000 orders by 15,000 customers, who also have 50,000 tickets; one order in
 * 50 has no customer. A prime scatters the numbers, so that both platforms have the same rows.
 */
export function listShopStatements(platform: ShopPlatform): readonly string[] {
  const isDuckdb = platform === 'duckdb';
  const from = (count: number) =>
    isDuckdb ? `FROM range(${count}) AS r(i)` : `FROM generate_series(0::bigint, ${count - 1}) AS r(i)`;
  const pick = (seed: number, count: number) =>
    `(i * 7919 + i / 13 * ${seed}) % ${count}`.replace(' / ', isDuckdb ? ' // ' : ' / ');
  const tables = {
    regions: [25, `i AS id, 'region ' || i AS name`],
    customers: [
      15_000,
      `i AS id, ${pick(31, 25)} AS region_id, 'segment ' || ${pick(17, 5)} AS segment,
      CAST(${pick(97, 1_000_000)} / 100.0 AS DECIMAL(12, 2)) AS credit`,
    ],
    orders: [
      150_000,
      `i AS id, CASE WHEN i % 50 = 0 THEN NULL ELSE ${pick(101, 15_000)} END AS customer_id,
      'status ' || ${pick(11, 4)} AS status, DATE '2021-01-01' + CAST(${pick(3, 1460)} AS INTEGER) AS ordered_on,
      CAST(${pick(59, 10_000_000)} / 100.0 AS DECIMAL(12, 2)) AS total`,
    ],
    products: [
      2_000,
      `i AS id, 'category ' || ${pick(7, 20)} AS category, 'brand ' || ${pick(5, 150)} AS brand`,
    ],
    lines: [
      600_000,
      `i AS id, ${isDuckdb ? 'i // 4' : 'i / 4'} AS order_id, ${pick(43, 2_000)} AS product_id,
      CAST(${pick(29, 50)} + 1 AS INTEGER) AS quantity, CAST(${pick(83, 1_000_000)} / 100.0 AS DECIMAL(12, 2)) AS price,
      DATE '2021-01-01' + CAST(${pick(19, 1500)} AS INTEGER) AS shipped_on`,
    ],
    tickets: [
      50_000,
      `i AS id, ${pick(71, 15_000)} AS customer_id, 'topic ' || ${pick(13, 8)} AS topic,
      CAST(${pick(23, 600)} AS INTEGER) AS minutes`,
    ],
  } as const;
  return Object.entries(tables).flatMap(([name, [count, columns]]) => [
    `CREATE ${isDuckdb ? '' : 'UNLOGGED '}TABLE ${name} AS SELECT ${columns} ${from(count)}`,
    ...(isDuckdb ? [] : [`ALTER TABLE ${name} ADD PRIMARY KEY (id)`, `VACUUM ANALYZE ${name}`]),
  ]);
}

/** The semantic model of the same tables. */
export function printShopModel(platform: ShopPlatform): Source {
  return { name: 'shop.yaml', text: MODEL.replace('PLATFORM', platform) };
}

const MODEL = `version: "1.0"
layers:
- name: shop
  environment: { platform: PLATFORM }
  domains:
  - name: sales
    entities:
    - name: lines
      table_name: lines
      x_primary_key: [id]
      dimensions:
      - { name: shipped_on, data_type: DATE, expr: shipped_on, x_grains: [month] }
      measures:
      - { name: revenue, data_type: DECIMAL, aggregation_type: SUM, expr: price }
      - { name: quantity, data_type: INTEGER, aggregation_type: SUM, expr: quantity }
      - { name: median_price, data_type: DECIMAL, aggregation_type: MEDIAN, expr: price }
      relationships:
      - { name: order, join_type: MANY_TO_ONE, to_entity: orders, expr: "lines.order_id = orders.id" }
      - { name: product, join_type: MANY_TO_ONE, to_entity: products, expr: "lines.product_id = products.id" }
    - name: orders
      table_name: orders
      x_primary_key: [id]
      dimensions:
      - { name: status, data_type: TEXT, expr: status }
      - { name: ordered_on, data_type: DATE, expr: ordered_on, x_grains: [month] }
      measures:
      - { name: orders, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }
      - { name: total, data_type: DECIMAL, aggregation_type: SUM, expr: total }
      - { name: buyers, data_type: INTEGER, aggregation_type: COUNT_DISTINCT, expr: customer_id }
      - { name: value, data_type: DECIMAL, aggregation_type: CUSTOM, expr: "SUM(total) / NULLIF(COUNT(*), 0)" }
      relationships:
      - { name: customer, join_type: MANY_TO_ONE, to_entity: customers, expr: "orders.customer_id = customers.id" }
    - name: customers
      table_name: customers
      x_primary_key: [id]
      dimensions:
      - { name: segment, data_type: TEXT, expr: segment }
      measures:
      - { name: customers, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }
      - { name: credit, data_type: DECIMAL, aggregation_type: SUM, expr: credit }
      relationships:
      - { name: region, join_type: MANY_TO_ONE, to_entity: regions, expr: "customers.region_id = regions.id" }
    - name: regions
      table_name: regions
      x_primary_key: [id]
      dimensions:
      - { name: name, data_type: TEXT, expr: name }
    - name: products
      table_name: products
      x_primary_key: [id]
      dimensions:
      - { name: category, data_type: TEXT, expr: category }
      - { name: brand, data_type: TEXT, expr: brand }
    - name: tickets
      table_name: tickets
      x_primary_key: [id]
      dimensions:
      - { name: topic, data_type: TEXT, expr: topic }
      measures:
      - { name: tickets, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }
      relationships:
      - { name: customer, join_type: MANY_TO_ONE, to_entity: customers, expr: "tickets.customer_id = customers.id" }
`;
