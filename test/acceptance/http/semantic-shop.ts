import type { Answer, Client } from '../../support/http.ts';

/** Three customers, one of them without orders, and three orders. */
export const TABLES = `
CREATE TABLE customers (id INTEGER, name TEXT, region TEXT, since DATE);
CREATE TABLE orders (id INTEGER, customer_id INTEGER, payer_id INTEGER, status TEXT, amount DECIMAL(9, 2), ordered_at TIMESTAMP);
INSERT INTO customers VALUES (1, 'Ada', 'north', '2020-01-01'), (2, 'Grace', 'south', '2021-06-30'), (3, 'Edsger', NULL, NULL);
INSERT INTO orders VALUES (1, 1, 2, 'paid', 12.50, '2026-03-01 10:00'), (2, 1, 1, 'paid', 7.50, '2026-04-11 23:59:59'),
  (3, 2, 2, 'open', 80.00, '2026-04-12 00:00');
`;

export const AGGREGATIONS = ['SUM', 'COUNT', 'COUNT_DISTINCT', 'AVG', 'MIN', 'MAX', 'MEDIAN'];

/** A model of them with every feature. */
export const MODEL = {
  version: '1.0',
  layers: [
    {
      name: 'shop',
      label: 'The shop',
      environment: { platform: 'duckdb' },
      x_synonyms: ['store'],
      domains: [
        {
          name: 'sales',
          label: 'Sales',
          description: 'Sold products',
          entities: [
            {
              name: 'orders',
              label: 'Orders',
              description: 'One for each order',
              table_name: 'orders',
              x_primary_key: ['id'],
              dimensions: [
                {
                  name: 'status',
                  label: 'Status',
                  data_type: 'TEXT',
                  expr: 'status',
                  x_case_sensitive: true,
                },
                { name: 'at', data_type: 'DATETIME', expr: 'ordered_at', x_grains: ['month'] },
                { name: 'id', data_type: 'INTEGER', expr: 'id', hidden: true },
                { name: 'paid', data_type: 'BOOLEAN', expr: "status = 'paid'" },
                { name: 'share', data_type: 'FLOAT', expr: 'amount / 2.0' },
                { name: 'amount', data_type: 'DECIMAL', expr: 'amount' },
                { name: 'number', data_type: 'NUMBER', expr: 'id' },
              ],
              measures: [
                {
                  name: 'revenue',
                  label: 'Revenue',
                  data_type: 'DECIMAL',
                  aggregation_type: 'SUM',
                  expr: 'amount',
                },
                {
                  name: 'average',
                  data_type: 'FLOAT',
                  aggregation_type: 'CUSTOM',
                  expr: 'SUM(amount) / COUNT(*)',
                },
                ...AGGREGATIONS.map((aggregation_type) => ({
                  name: aggregation_type.toLowerCase(),
                  data_type: /COUNT/.test(aggregation_type) ? 'INTEGER' : 'NUMBER',
                  aggregation_type,
                  expr: 'amount',
                })),
              ],
              relationships: [
                {
                  name: 'customer',
                  join_type: 'MANY_TO_ONE',
                  to_entity: 'customers',
                  expr: 'orders.customer_id = customers.id',
                },
              ],
            },
            {
              name: 'customers',
              query: 'SELECT * FROM customers',
              dimensions: [
                { name: 'name', data_type: 'TEXT', expr: 'name' },
                { name: 'region', data_type: 'TEXT', expr: 'region' },
                { name: 'since', data_type: 'DATE', expr: 'since' },
              ],
              measures: [{ name: 'customers', data_type: 'INTEGER', aggregation_type: 'COUNT', expr: '*' }],
              relationships: [
                {
                  name: 'twin',
                  join_type: 'ONE_TO_ONE',
                  to_entity: 'cards',
                  expr: 'customers.id = cards.id',
                },
                {
                  name: 'paid',
                  join_type: 'ONE_TO_MANY',
                  to_entity: 'payments',
                  expr: 'customers.id = payments.payer_id',
                },
              ],
            },
            { name: 'cards', table_name: 'customers' },
            {
              name: 'payments',
              table_name: 'orders',
              dimensions: [{ name: 'status', data_type: 'TEXT', expr: 'status' }],
              relationships: [
                {
                  name: 'booked',
                  join_type: 'MANY_TO_ONE',
                  to_entity: 'customers',
                  expr: 'payments.customer_id = customers.id',
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};

/** `entity.field`, and an alias after a space. */
export function toRef(text: string): object {
  const [name = '', alias] = text.split(' ');
  const [entity, field] = name.split('.');
  return { entity, field, ...(alias === undefined ? {} : { alias }) };
}

/** Several of them. */
export const refs = (...texts: string[]) => texts.map(toRef);
/** A dimension in the order, with filters. */
export const by = (dimension: string, ...filters: object[]) => ({
  dimensions: refs(dimension),
  filters,
  order_by: [{ field: toRef(dimension) }],
});
/** A condition. */
export const where = (field: string, type: string, operand: object = {}) => ({
  type: 'CONDITION',
  field: toRef(field),
  operator: { type, ...operand },
});

/** `POST /semantic-layer/codegen/sql`, to the connection `sales` unless `more` names another one. */
export function codegen(client: Client, query: unknown, more: object = {}, search = ''): Promise<Answer> {
  const body = { connection_name: 'sales', query, ...more };
  return client.send('POST', `/semantic-layer/codegen/sql${search}`, { body });
}

/** `POST /semantic-layer/codegen/statements` about the connection `sales`. */
export function codegenStatements(client: Client, sql: string, search = ''): Promise<Answer> {
  const body = { connection_name: 'sales', sql };
  return client.send('POST', `/semantic-layer/codegen/statements${search}`, { body });
}

/** `GET /semantic-layer/metadata`. */
export const metadata = (client: Client, name: string) =>
  client.send('GET', `/semantic-layer/metadata/${encodeURIComponent(name)}`);

/** Creates the connection `sales` for the users of the team, unless it exists. */
export async function makeTeamModel(admin: Client): Promise<void> {
  const content = JSON.stringify(MODEL);
  await admin.create('assets', { parent_path: '@Shared', name: 'shop.json', content });
  const body = { name: 'sales', kind: 'semantic', options: { model: '@Shared/shop.json' } };
  await admin.send('POST', '/manage/connections', { body });
  for (const name of ['viewer', 'reader', 'editor', 'manager']) {
    const grant = { subject: `user:${name}`, level: 'USE', target: 'connection:sales' };
    await admin.send('PUT', '/manage/grants', { body: grant });
  }
}
