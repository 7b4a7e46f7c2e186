import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const reader = fileURLToPath(import.meta.resolve('../duckdb/slow-reader.ts'));

it.each([
  ['alone', '0'],
  ['beside a faster reader', '30'],
])('frees the chunks of a result that is read slowly, %s', (_, others) => {
  const { stdout, stderr } = spawnSync(process.execPath, [reader, others], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const { chunks, grown } = JSON.parse(stdout);
  expect(chunks).toBeGreaterThan(300);
  expect(grown).toBeLessThan(120);
});
