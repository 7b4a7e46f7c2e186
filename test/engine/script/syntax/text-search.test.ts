import { expect, it } from 'vitest';
import { substituteParams } from '../../../../src/engine/script/params/params.ts';
import { type BodyEvent, BodyScanner } from '../../../../src/engine/script/syntax/scan-body.ts';
import { TextSearch } from '../../../../src/engine/script/syntax/text-search.ts';

const PIECES = [
  ...['{{', '}}', '#+if', '#+end', '#+a_long_word', '#', '+', '--', '\n', '/*', '*/', "'", '"', "e'"],
  ...['$$', '$tag$', '$', 'word', ' ', '\\', "\\'", "''", 'é', '\u{1F600}', 'x'.repeat(20)],
];

/** Pseudo-random numbers from 0 up to `below`, the same in each run. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** All events of a text, searched piece by piece with the given length. */
function listEvents(text: string, part: number): readonly BodyEvent[] {
  const rendered = substituteParams({ name: 'a.sql', text }, {});
  const scanner = new BodyScanner(rendered, new TextSearch(text, part));
  const events: BodyEvent[] = [];
  for (let at = 0; ; ) {
    const event = scanner.find(at);
    at = event.end;
    if (event.kind === 'pause') continue;
    events.push(event);
    if (event.kind === 'end-of-text') return events;
  }
}

it('finds the same matches piece by piece as in the whole text', () => {
  const random = createRandom(7);
  const texts = Array.from({ length: 5_000 }, () =>
    Array.from({ length: 1 + random(25) }, () => PIECES[random(PIECES.length)]).join(''),
  );
  for (const text of texts) {
    const part = 4 + random(12);
    expect(listEvents(text, part), JSON.stringify({ text, part })).toEqual(
      listEvents(text, Number.POSITIVE_INFINITY),
    );
  }
  const kinds = new Set(texts.flatMap((text) => listEvents(text, 8)).map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(['comment', 'directive', 'end-of-text', 'interpolation']);
});

it('pauses in a long text without a match', () => {
  const search = new TextSearch('a'.repeat(100), 10);
  const places: number[] = [];
  for (let found = search.exec(/b/g, 0); found !== null; found = search.exec(/b/g, places.at(-1)!)) {
    places.push('next' in found ? found.next : Number.NaN);
  }
  // A part starts with the character before it, and its last two characters are searched again.
  expect(places).toEqual([8, 15, 22, 29, 36, 43, 50, 57, 64, 71, 78, 85, 92]);
});
