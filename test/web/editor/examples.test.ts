import { describe, expect, inject, it } from 'vitest';
import { listExamples } from '../../../web/components/editor/start/examples.ts';
import type { TableInfo } from '../../../web/language/completion/context.ts';
import { toDialect } from '../../../web/language/sql-keywords.ts';
import { createExecWorld, type ExecWorld } from '../../server/exec/world.ts';
import { modelWith } from '../../support/models.ts';

const MODEL = modelWith(`    - name: sales
      table_name: shop_sales
      dimensions: [{ name: region, data_type: TEXT, expr: region }]
      measures: [{ name: revenue, data_type: DECIMAL, aggregation_type: SUM, expr: amount }]
`);

async function connect(world: ExecWorld, kind: string, options: object, secrets: object = {}) {
  const body = { name: 'other', kind, options, secrets };
  const { status, text } = await world.ask('POST', '/api/v1/manage/connections', { body });
  expect(status, text).toBe(201);
}

/** Runs the examples of a connection, with its tables and without them; returns their number. */
async function runExamples(world: ExecWorld, kind: string, name: string): Promise<void> {
  const { body } = await world.ask('GET', `/api/v1/manage/connections/${name}/tables`);
  const { data } = body as { data: readonly TableInfo[] };
  expect(data.length).toBeGreaterThan(0);
  for (const tables of [data, []]) {
    const examples = listExamples(kind, toDialect(kind), tables);
    expect(examples.length).toBe(3);
    expect(new Set(examples.map(({ label }) => label)).size).toBe(3);
    for (const { text } of examples) {
      const answer = await world.sql(text, { connection: { name } });
      expect(answer.status, `${text}\n${answer.text}`).toBe(200);
    }
  }
}

describe('the examples of an empty text', () => {
  it('run on DuckDB, and on a semantic connection', async () => {
    const world = await createExecWorld();
    await world.sql(`CREATE TABLE shop_sales AS SELECT 'north' AS region, 5 AS amount`);
    await runExamples(world, 'duckdb', 'duckdb');
    await world.put('@Shared/shop.yaml', MODEL);
    await connect(world, 'semantic', { model: '@Shared/shop.yaml', connection: 'duckdb' });
    await runExamples(world, 'semantic', 'other');
  });

  for (const [kind, server] of [
    ['postgresql', inject('postgresql')],
    ['mysql', inject('mariadb')],
  ] as const) {
    it.skipIf(server === null)(`run on ${kind}`, async () => {
      const world = await createExecWorld();
      const { password, ...options } = server!;
      await connect(world, kind, options, { password });
      const connection = { name: 'other' };
      await world.sql('DROP TABLE IF EXISTS examples_of_texts', { connection });
      await world.sql('CREATE TABLE examples_of_texts (id INTEGER, kind VARCHAR(20))', { connection });
      await runExamples(world, kind, 'other');
      await world.sql('DROP TABLE examples_of_texts', { connection });
    });
  }

  it('quote names that need it', () => {
    const table = {
      schema: 'a b',
      name: 'Select',
      kind: 'table',
      columns: [{ name: '表', type: 'INTEGER' }],
    } as const;
    expect(listExamples('postgresql', 'postgresql', [table])[0]?.text).toContain('FROM "a b"."Select"');
    const empty = { ...table, columns: [] };
    expect(
      listExamples('duckdb', 'duckdb', [empty])
        .map(({ text }) => text)
        .join(),
    ).not.toContain('Select');
  });
});
