import fc from 'fast-check';
import { expect, it } from 'vitest';
import { substituteParams } from '../../../../src/engine/script/params/params.ts';
import { type BodyEvent, BodyScanner } from '../../../../src/engine/script/syntax/scan-body.ts';
import { share } from '../../../support/rotation.ts';

const PIECES = [
  ...["'", "''", "e'", '"', '$$', '$a$', '$', '{{', '}}', '#+if', '#+x', '#', '{'],
  ...['--', '\n', '/*', '*/', 'a', 'E', ' ', '\\', '1'],
];

function listEvents(text: string, params: Record<string, string> = {}): readonly BodyEvent[] {
  const scanner = new BodyScanner(substituteParams({ name: 'a.sql', text }, params));
  const events: BodyEvent[] = [];
  for (let at = 0; ; at = events.at(-1)!.end) {
    const event = scanner.find(at);
    if (event.kind === 'end-of-text') return events;
    events.push(event);
  }
}

it('skips complete quotes with the same result as character by character', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }), (pieces) => {
      const text = `${pieces.join('')}\n`;
      const before = ({ end }: BodyEvent) => end < text.length;
      const replaced = listEvents(`${text}+$parameter+`, { parameter: '1' });
      expect(listEvents(`${text}+1+`).filter(before)).toEqual(replaced.filter(before));
    }),
    { numRuns: share(2_000) },
  );
});
