import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const NAME = 'bench.io/build';
const LAYERS = ['raw', 'staging', 'mart'] as const;

function write(folder: string, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

function writeManifest(folder: string): void {
  write(folder, 'project.toml', `[general]\nname = "${NAME}"\nversion = "1.0.0"\n`);
}

const block = (name: string, meta: string, body: string) =>
  `#+src sql ${name}()\n${meta === '' ? '' : `#+meta { ${meta} }\n`}#+begin ${body} #+end\n`;

const publication = (name: string) => `:publication { :type "table", :name "${name}" }`;

/**
 * Writes a project of small published tables in three layers, in which each table reads one of the layer before, and
 * `tables.sql`, which creates the same tables by hand.
 */
export function writeTables(folder: string, count: number): void {
  writeManifest(folder);
  const statements: string[] = [];
  for (const [at, layer] of LAYERS.entries()) {
    const before = LAYERS[at - 1];
    let text = before === undefined ? '' : `#+import "${NAME}/${before}"\n`;
    for (let i = 0; i < count / LAYERS.length; i += 1) {
      const body = (from: string) => `SELECT id + ${i} AS id, 'row ' || id AS name FROM ${from}`;
      const source = (read: string) => (before === undefined ? 'range(10) AS r (id)' : read);
      const name = `${layer}_${i}`;
      text += block(`Table${i}`, publication(name), body(source(`{{ ${before}.Table${i}() }}`)));
      statements.push(`CREATE OR REPLACE TABLE ${name} AS ${body(source(`${before}_${i}`))};`);
    }
    write(folder, `${layer}/tables.sql`, text);
  }
  write(folder, '../tables.sql', statements.join('\n'));
}

/** Writes a project of ten packages in which blocks read the package before; half are published and have two checks. */
export function writeBlocks(folder: string, count: number): void {
  writeManifest(folder);
  for (let part = 0; part < 10; part += 1) {
    let text = part === 0 ? '' : `#+import "${NAME}/part${part - 1}"\n`;
    for (let i = 0; i < count / 10; i += 1) {
      const from = part === 0 ? 'range(10) AS r (id)' : `{{ part${part - 1}.Block${i}() }}`;
      const checks = ':checks [{ :unique "id" }, { :not_null "id" }]';
      const doc = `:doc "The rows of block ${i}. Each has an id.", :tags ["part${part}"]`;
      const meta = i % 2 === 0 ? `${publication(`part${part}_${i}`)}, ${checks}, ${doc}` : doc;
      text += block(`Block${i}`, meta, `SELECT id + ${i} AS id FROM ${from}`);
    }
    write(folder, `part${part}/blocks.sql`, text);
  }
}

/** Ten checks of the block `Big`, as metadata, and as an analyst writes the query for the wrong rows. */
const CHECKS: readonly (readonly [check: string, sql: string])[] = [
  ['{ :unique "id" }', 'SELECT id, count(*) FROM big GROUP BY id HAVING count(*) > 1'],
  [
    '{ :unique ["day", "number"] }',
    'SELECT day, number, count(*) FROM big GROUP BY day, number HAVING count(*) > 1',
  ],
  ['{ :not_null "id" }', 'SELECT * FROM big WHERE id IS NULL'],
  ['{ :not_null "region" }', 'SELECT * FROM big WHERE region IS NULL'],
  ['{ :not_null "amount" }', 'SELECT * FROM big WHERE amount IS NULL'],
  [
    '{ :accepted "region", :values ["EU", "US", "AS"] }',
    "SELECT * FROM big WHERE region NOT IN ('EU', 'US', 'AS')",
  ],
  ['{ :accepted "state", :values [0, 1, 2, 3] }', 'SELECT * FROM big WHERE state NOT IN (0, 1, 2, 3)'],
  [
    '{ :references "customer", :to "customers", :column "id" }',
    'SELECT * FROM big WHERE customer IS NOT NULL AND NOT EXISTS (SELECT 1 FROM customers AS c WHERE c.id = big.customer)',
  ],
  [
    '{ :references "day", :to "days" }',
    'SELECT * FROM big WHERE day IS NOT NULL AND NOT EXISTS (SELECT 1 FROM days AS d WHERE d.day = big.day)',
  ],
  [
    '{ :rows { :min 1, :max 100000000 } }',
    'SELECT * FROM (SELECT count(*) AS n FROM big) WHERE n NOT BETWEEN 1 AND 100000000',
  ],
];

/**
 * Writes a project with a block that has ten checks and is published as `big`, `checks.sql` with the same queries by
 * hand, and `data.sql`, which creates the other tables.
 */
export function writeChecks(folder: string, rows: number): void {
  writeManifest(folder);
  const body = `SELECT id, DATE '2020-01-01' + CAST(id % 1000 AS INTEGER) AS day, id // 1000 AS number,
    id % 100000 AS customer, ['EU', 'US', 'AS'][id % 3 + 1] AS region, id % 4 AS state, id * 0.25 AS amount
    FROM range(${rows}) AS r (id)`;
  const checks = CHECKS.map(([check]) => `  ${check},`).join('\n');
  write(folder, 'mart/big.sql', block('Big', `${publication('big')},\n:checks [\n${checks}\n]`, body));
  write(folder, '../checks.sql', CHECKS.map(([, sql]) => `${sql};`).join('\n'));
  write(
    folder,
    '../data.sql',
    `CREATE TABLE customers AS SELECT range AS id FROM range(100000);
CREATE TABLE days AS SELECT DATE '2020-01-01' + CAST(range AS INTEGER) AS day FROM range(1000);`,
  );
}
