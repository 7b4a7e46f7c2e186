import { expect } from 'vitest';
import { modelWith } from '../../../support/models.ts';
import { runQuern, type Shared } from '../../../support/server.ts';

const MODEL = modelWith(`    - name: sales
      table_name: shop_sales
      dimensions: [{ name: region, data_type: TEXT, expr: region }]
      measures: [{ name: revenue, data_type: DECIMAL, aggregation_type: SUM, expr: amount }]
`);

/** Creates the semantic connection `shop`, which everyone may use: the entity `sales` with `region` and `revenue`. */
export async function createShop({ server, admin }: Shared): Promise<void> {
  const table = "CREATE TABLE shop_sales AS SELECT 'north' AS region, 5 AS amount";
  await runQuern(server.cwd, ['sql', '--connection', 'duckdb', table]);
  await admin.make('assets', '@Shared/shop.yaml', { content: MODEL });
  const body = {
    name: 'shop',
    kind: 'semantic',
    options: { model: '@Shared/shop.yaml', connection: 'duckdb' },
  };
  const created = await admin.send('POST', '/manage/connections', { body });
  expect(created.status, created.text).toBe(201);
  await runQuern(server.cwd, 'grant add everyone use connection:shop');
}
