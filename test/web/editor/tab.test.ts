import { describe, expect, it } from 'vitest';
import { checkTitle, getTitle } from '../../../web/components/editor/workspace/tab.ts';

describe('the name of a query', () => {
  const others = [
    { key: 'query-2', title: null },
    { key: 'query-3', title: 'mine' },
    { key: '@Shared/script', title: null },
  ];

  it('is the given one, or its number', () => {
    expect(others.map(getTitle)).toEqual(['Query 2', 'mine', 'script']);
  });

  it('is neither empty nor long nor that of another query', () => {
    expect(checkTitle(' \u200b\t', others)).toBe('Enter a name');
    expect(checkTitle('x'.repeat(256), others)).toBe('A name has at most 255 characters; this one has 256');
    expect(checkTitle(' Query 2 ', others)).toContain('Another open query has this name');
    expect(checkTitle('mine', others)).toContain('Another open query has this name');
    expect(checkTitle('script', others)).toBe(null);
    expect(checkTitle('x'.repeat(255), others)).toBe(null);
  });
});
