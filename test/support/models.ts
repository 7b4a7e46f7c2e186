/** The lines of a model of one domain around the lines of its entities, for DuckDB. */
export function modelWith(entities: string, { layer = 'l', domain = 'd' } = {}): string {
  return `version: "1.0"
layers:
- name: ${layer}
  environment: { platform: duckdb }
  domains:
  - name: ${domain}
    entities:
${entities}`;
}

/** A model of orders that belong to customers: the status of orders, their revenue, and the region of customers. */
export const ORDERS_MODEL = modelWith(`    - name: orders
      table_name: orders
      x_primary_key: [id]
      dimensions: [{ name: status, data_type: TEXT, expr: status }]
      measures: [{ name: revenue, data_type: DECIMAL, aggregation_type: SUM, expr: amount }]
      relationships:
      - { name: customer, join_type: MANY_TO_ONE, to_entity: customers, expr: orders.customer_id = customers.id }
    - name: customers
      table_name: customers
      dimensions: [{ name: region, data_type: TEXT, expr: region }]
`);

/** Creates the tables of that model: three orders of two customers, one with a status that is `other`. */
export function createOrderTables(other: string): string {
  return `
CREATE TABLE customers AS SELECT * FROM (VALUES (1, 'north'), (2, 'south')) AS t(id, region);
CREATE TABLE orders AS SELECT * FROM (VALUES
  (1, 1, 'paid', 2.50), (2, 1, '${other.replaceAll("'", "''")}', 1.25), (3, 2, 'paid', 10)) AS t(id, customer_id, status, amount);
`;
}
