import { describe, expect, it } from 'vitest';
import { KeyReader, type TypedKey } from '../../src/cli/repl/keys.ts';

const typed = (text: string) => ({ kind: 'text', text, isPaste: false });
const pasted = (text: string) => ({ kind: 'text', text, isPaste: true });

/** Reads parts of what a terminal sends. */
function read(parts: readonly (string | Uint8Array)[]): readonly TypedKey[] {
  const keys: TypedKey[] = [];
  const reader = new KeyReader((more) => keys.push(...more));
  for (const part of parts) reader.take(Buffer.from(part as string));
  return keys;
}

describe('KeyReader', () => {
  it.each([
    [
      ['a\u001b[', 'Ab'],
      [typed('a'), { kind: 'up' }, typed('b')],
    ],
    [
      ['\u001bOA\u001b[3~\u001b[1;5C\u001bb'],
      ['up', 'delete', 'word-right', 'word-left'].map((kind) => ({ kind })),
    ],
    [['\u001b[99;99X\u0016a'], [{ kind: 'nothing' }, { kind: 'nothing' }, typed('a')]],
    [[new Uint8Array([0xc3]), new Uint8Array([0xa9])], [typed('é')]],
    [
      ['\u001b[200~a\r\u0003b\u001b', '[201~\r'],
      [pasted('a\n\u0003b'), { kind: 'enter' }],
    ],
    [['\u001b[200~a\r\nb\u001b[20', '\u001b[201~'], [pasted('a\r\nb\u001b[20')]],
    [
      ['\u001b[200~a', '\u0003'],
      [pasted('a'), { kind: 'interrupt' }],
    ],
    [['a\u0000\r\t\u0004'], [typed('a\u0000'), { kind: 'enter' }, { kind: 'tab' }, { kind: 'close' }]],
  ])('reads %j', (parts, keys) => {
    expect(read(parts)).toEqual(keys);
  });
});
