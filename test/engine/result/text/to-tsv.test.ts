import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolder } from '../../../support/quern.ts';
import { query } from '../../connection/results.ts';
import { encodeQuery, openMemory } from '../encode.ts';

const connection = await openMemory();
afterAll(() => connection.close());

it('writes the same bytes as COPY of DuckDB with tabs, for texts with every special character', async () => {
  const sql = `SELECT i AS "a	b", unnest(['', 'x', 'a,b', 'a	b', 'tab	in a long text', 'say "no"', '# 1', 'two
lines', 'a long text, with a comma', NULL]) AS t, [i, i + 1] AS l FROM range(3) r(i)`;
  const file = path.join(makeFolder(), 'out.tsv');
  await query(connection, `COPY (${sql}) TO '${file}' (FORMAT csv, HEADER, DELIMITER '\t')`);
  const text = await encodeQuery(connection, 'tsv', sql);
  expect(text).toBe(readFileSync(file, 'utf8'));
  expect(text).toContain('\ta,b\t');
});

it.each(['csv', 'tsv'] as const)('omits the line of names of %s on request', async (format) => {
  expect(await encodeQuery(connection, format, 'SELECT 1 AS a', { header: false })).toBe('1\n');
});
