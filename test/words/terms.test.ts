import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const terms = readFileSync(path.join(import.meta.dirname, 'terms.txt'), 'utf8')
  .trimEnd()
  .split('\n');

describe('the terms that the spelling check accepts', () => {
  it('are sorted, and appear once', () => {
    const keys = terms.map((term) => term.toLowerCase());
    expect(keys).toEqual([...new Set(keys)].toSorted());
  });

  it('are used by the project', () => {
    const args = ['grep', '-iohF', '-f', 'test/words/terms.txt', '--', '.', ':!test/words'];
    const found = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
    const used = new Set(found.toLowerCase().split('\n'));
    expect(terms.filter((term) => !used.has(term.toLowerCase()))).toEqual([]);
  });
});
