import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelWith } from '../../support/models.ts';
import { makeHome, quern } from '../../support/quern.ts';

describe('quern semantic check', () => {
  it('finds fractions in fields that are declared as INTEGER', async () => {
    const cwd = await makeHome();
    const sql = `CREATE TABLE parts AS SELECT x::DECIMAL(9, 2) AS price, x::INTEGER::DECIMAL(9, 2) AS whole
      FROM (VALUES (1.50), (2.00)) AS t (x)`;
    await quern(['sql', sql], { cwd });
    writeFileSync(
      path.join(cwd, 'parts.yaml'),
      modelWith(`    - name: parts
      table_name: parts
      dimensions:
      - { name: price, data_type: INTEGER, expr: price }
      - { name: whole, data_type: INTEGER, expr: whole }
      measures:
      - { name: total, data_type: INTEGER, aggregation_type: SUM, expr: price }
      - { name: wholes, data_type: INTEGER, aggregation_type: SUM, expr: whole }
      - { name: most, data_type: INTEGER, aggregation_type: MAX, expr: price }
      - { name: odd, data_type: INTEGER, aggregation_type: CUSTOM, expr: SUM(price) }
`),
    );
    const { exitCode, stdout } = await quern(['semantic', 'check', 'parts.yaml', '--connection', 'duckdb'], {
      cwd,
    });
    expect(exitCode).toBe(1);
    const message = 'this is declared as INTEGER, but in the database it has values with fractions';
    expect(stdout.match(/^parts.*/gm)).toEqual(
      ['11:35', '16:34', '14:35'].map((place) => `parts.yaml:${place}: error: ${message}`),
    );
  });
});
