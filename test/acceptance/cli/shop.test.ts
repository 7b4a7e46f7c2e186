import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';

const shop = path.resolve(import.meta.dirname, '../../../fixtures/shop');

/** A home with the data of the shop, and its project in the same folder. */
async function makeShop(): Promise<string> {
  const cwd = await makeHome();
  cpSync(shop, cwd, { recursive: true });
  for (const file of readdirSync(path.join(shop, 'raw'))) {
    const table = `raw.${path.basename(file, '.csv')}`;
    expect(await quern(['load', `raw/${file}`, '--table', table], { cwd })).toMatchObject({ exitCode: 0 });
  }
  return cwd;
}

/** The output of a build, without its times. */
async function build(cwd: string, ...args: readonly string[]) {
  const { stdout, stderr, exitCode } = await quern(['build', ...args], { cwd });
  return { stdout: stdout.replace(/, \d+\.\d s\)/g, ')'), stderr, exitCode };
}

async function read(cwd: string, query: string): Promise<string> {
  return (await quern(['sql', query, '--format', 'csv'], { cwd })).stdout;
}

/** The lines of a script that declare its tests: those of `:checks`, and those of each `#+test`. */
function countTestLines(text: string): number {
  const checks = text.match(/^ {2}:checks \[(?:.*\]|[\s\S]*?^ {2}\]),?$/gm) ?? [];
  const tests = text.match(/^#\+test [\s\S]*?#\+end$/gm) ?? [];
  return [...checks, ...tests].flatMap((declaration) => declaration.split('\n')).length;
}

const CUSTOMERS = `customer_id,orders,first_ordered_on,lifetime_spend_pretax,lifetime_tax_paid,lifetime_spend,customer_type
c1,3,2026-03-01,36.50,2.44,38.94,returning
c2,1,2026-03-01,4.00,0.24,4.24,new
c3,2,2026-03-03,33.00,2.42,35.42,returning
c4,,,,,,new
`;
const ORDERS = `order_id,location_id,order_total,order_cost,is_food_order,is_drink_order,customer_order_number
1,s1,16.43,2.50,true,true,1
2,s1,4.24,0.32,false,true,1
3,s2,13.50,1.13,true,false,2
4,s2,23.76,3.86,true,false,1
5,s1,9.01,0.89,false,true,3
6,s1,11.66,1.93,true,false,2
`;

/** The names of an answer's columns, without spaces. */
const columnsOf = (csv: string) => csv.slice(0, csv.indexOf('\n'));

describe('a shop of twelve models', () => {
  it('is built and tested by one command, with 27 checks and three tests with given rows', async () => {
    const cwd = await makeShop();
    const { stdout, stderr, exitCode } = await build(cwd, '--verbose');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(
      /\n12 targets: 12 published, 0 failed, 0 skipped\n30 tests: 30 passed, 0 warned, 0 failed, 0 skipped\n$/,
    );
    expect(
      stdout.match(/^passed .*\.\w+(\(.*\))?$/gm)?.filter((line) => /\.[a-z]\w*(\(|$)/.test(line)),
    ).toHaveLength(27);
    expect(await read(cwd, `SELECT ${columnsOf(CUSTOMERS)} FROM marts.customers ORDER BY ALL`)).toBe(
      CUSTOMERS,
    );
    expect(await read(cwd, `SELECT ${columnsOf(ORDERS)} FROM marts.orders ORDER BY ALL`)).toBe(ORDERS);
    const counts = ['locations', 'order_items', 'products', 'supplies'].map(
      (name) => `(SELECT count(*) FROM marts.${name})`,
    );
    expect(await read(cwd, `SELECT ${counts.join(" || ' ' || ")} AS rows`)).toBe('rows\n2 9 4 8\n');
  });

  it('declares all its tests in at most 60 lines', () => {
    const scripts = ['staging', 'marts'].flatMap((folder) =>
      readdirSync(path.join(shop, folder)).map((file) => readFileSync(path.join(shop, folder, file), 'utf8')),
    );
    const lines = scripts.map(countTestLines);
    expect(lines.filter((count) => count > 0)).toHaveLength(10);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(60);
  });

  it('publishes nothing from a wrong row, and shows that row', async () => {
    const cwd = await makeShop();
    await build(cwd);
    await read(cwd, "INSERT INTO raw.items VALUES ('i10', 99, 'BEV-1')");
    const { stdout, exitCode } = await build(cwd);
    const isPassing = (line: string) => /^(published|skipped acme)/.test(line);
    expect(stdout.split('\n').filter((line) => !isPassing(line))).toEqual([
      'FAILED acme.io/shop/staging.OrderItems.references(order_id): 1 wrong row',
      '  staging/order_items.sql:5:79',
      '    order_item_id  order_id  product_id',
      '    i10            99        BEV-1',
      'skipped marts.order_items: OrderItems.references(order_id) failed',
      'skipped marts.orders: OrderItems.references(order_id) failed',
      'skipped marts.customers: OrderItems.references(order_id) failed',
      '12 targets: 9 published, 0 failed, 3 skipped',
      '30 tests: 17 passed, 0 warned, 1 failed, 12 skipped',
      '',
    ]);
    expect(exitCode).toBe(1);
    expect(await read(cwd, 'SELECT count(*) AS items FROM marts.order_items')).toBe('items\n9\n');
  });
});
