import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { WINDOW_CALLS } from '../../src/semantic/expression/create-window.ts';
import { findPortableFunction } from '../../src/semantic/expression/functions.ts';
import { DIALECTS } from '../../src/semantic/sql/dialects.ts';

const file = path.resolve(import.meta.dirname, '../../docs/reference/semantic-sql-functions.md');
const page = readFileSync(file, 'utf8');

/** The functions that a statement can call by name. */
const CALLED = Object.keys(DIALECTS.duckdb.calls).filter((name) => 'name' in findPortableFunction(name));

describe('the page of functions', () => {
  it.each([...CALLED, 'COALESCE', 'CONCAT', 'GREATEST', 'LEAST'])('describes %s', (name) => {
    expect(findPortableFunction(name)).toEqual({ name });
    expect(page).toMatch(new RegExp(`^\\|[^|]*\`${name}\``, 'm'));
  });

  it.each(Object.keys(WINDOW_CALLS))('describes the window function %s', (name) => {
    expect(page.slice(page.indexOf('## Window functions'))).toContain(`\`${name}\``);
  });
});
