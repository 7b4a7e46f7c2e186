import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineMap, findLine, findPosition, getLineMap } from '../../../src/engine/text/line-map.ts';
import { share } from '../../support/rotation.ts';

const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\t', '語', '😀', '\u2028') });

function linesOf(content: string): string[] {
  const map = createLineMap(content);
  return Array.from(map.starts, (_, index) => {
    const { start, end } = findLine(map, content, index + 1);
    return content.slice(start, end);
  });
}

describe('findPosition', () => {
  it.each([
    ['', 0, 1, 1],
    ['abc', 0, 1, 1],
    ['abc', 3, 1, 4],
    ['a\nb', 1, 1, 2],
    ['a\nb', 2, 2, 1],
    ['a\r\nb', 2, 1, 3],
    ['a\r\nb', 3, 2, 1],
    ['a\rb', 2, 2, 1],
    ['a\r\rb', 3, 3, 1],
    ['a\n\rb', 3, 3, 1],
    ['a\n', 2, 2, 1],
    ['😀x', 2, 1, 3],
    ['a\u2028b', 2, 1, 3],
    ['ab\ncd', -5, 1, 1],
    ['ab\ncd', 99, 2, 3],
  ])('finds in %j the offset %i at %i:%i', (content, offset, line, column) => {
    expect(findPosition(createLineMap(content), offset)).toEqual({ line, column });
  });

  it('counts line ends before an offset', () => {
    fc.assert(
      fc.property(text, fc.nat(40), (content, offset) => {
        const at = Math.min(offset, content.length);
        const inside = content.charAt(at - 1) === '\r' && content.charAt(at) === '\n';
        const before = content.slice(0, inside ? at - 1 : at).split(/\r\n|\n|\r/);
        const column = before.at(-1)!.length + (inside ? 2 : 1);
        expect(findPosition(createLineMap(content), at)).toEqual({ line: before.length, column });
      }),
      { numRuns: share(500) },
    );
  });

  it('finds every line of a source with more lines than the initial table', () => {
    const map = createLineMap('x\n'.repeat(5000));
    expect(map.starts.length).toBe(5001);
    expect(findPosition(map, 9999)).toEqual({ line: 5000, column: 2 });
  });
});

describe('findLine', () => {
  it('finds the lines without their line ends', () => {
    expect(linesOf('a\r\n\nb\rc\n\r')).toEqual(['a', '', 'b', 'c', '', '']);
  });

  it('finds the same lines as a split at line ends', () => {
    fc.assert(
      fc.property(text, (content) => {
        expect(linesOf(content)).toEqual(content.split(/\r\n|\n|\r/));
      }),
      { numRuns: share(500) },
    );
  });
});

describe('getLineMap', () => {
  it('creates the map of a source once', () => {
    const source = { name: 'a.sql', text: 'a\nb' };
    expect(getLineMap(source)).toBe(getLineMap(source));
    expect(getLineMap(source)).not.toBe(getLineMap({ ...source }));
  });
});
