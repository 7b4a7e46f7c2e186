import { expect, it } from 'vitest';
import {
  type FrameHead,
  type FramePart,
  FrameReader,
  printFrameHead,
} from '../../../../src/engine/run/record/result-frames.ts';

const FRAMES: readonly (readonly [FrameHead, string])[] = [
  [
    {
      kind: 'begin',
      statement: { text: 'SELECT 1 – é', title: null, file: 'sql', line: 1, column: 1 },
      startedAt: '2026-01-01T00:00:00.000000000Z',
    },
    '',
  ],
  [{ kind: 'columns', columns: [{ name: 'a', type: { kind: 'boolean' } }] }, 'schema'],
  [{ kind: 'batch', rows: 3, rangeError: 'a is too large' }, 'x'.repeat(1_000)],
  [{ kind: 'omitted', count: 7 }, ''],
];

const BYTES = Buffer.concat(
  FRAMES.flatMap(([head, body]) => [printFrameHead(head, body.length), Buffer.from(body)]),
);

/** The heads and complete bodies that a reader finds in bytes of the given sizes. */
function readInParts(size: number): readonly (readonly [FrameHead, string])[] {
  const reader = new FrameReader();
  const found: [FrameHead, string][] = [];
  const take = (part: FramePart) => {
    if (part.kind === 'head') found.push([part.head, '']);
    else found.at(-1)![1] += Buffer.from(part.bytes).toString();
  };
  for (let at = 0; at < BYTES.length; at += size) {
    for (const part of reader.read(BYTES.subarray(at, at + size))) take(part);
  }
  return found;
}

it.each([1, 2, 3, 7, 10, 64, 999, BYTES.length])('frames are found in pieces of %i bytes', (size) => {
  expect(readInParts(size)).toEqual(FRAMES);
});

it('the last part of a body is marked', () => {
  const reader = new FrameReader();
  const parts = [
    ...reader.read(printFrameHead({ kind: 'batch', rows: 1, rangeError: null }, 4)),
    ...reader.read(Buffer.from('ab')),
  ];
  expect(parts.at(-1)).toMatchObject({ kind: 'body', isLast: false });
  expect([...reader.read(Buffer.from('cd'))]).toMatchObject([{ kind: 'body', isLast: true }]);
});
