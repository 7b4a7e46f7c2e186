import type { Bench, Figures } from './bench.ts';
import { PARSERS, type Parser, PIECES } from './parsers/parsers.ts';

// Checks that the time of a parser of user input is linear in the length of the text. Every pair of 57 pieces is repeated
// to 16 KB. The slowest text of each parser is then compared with one of 64 KB, which should take four times as long.
const SMALL = 16_000;
const LARGE = 64_000;
/** More than four, to allow for the just-in-time compiler and other processes. */
const MAX_COUNT = 8;

const repeat = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

/** Measures how long a parser takes to accept or refuse a text, in milliseconds. */
function time(parse: Parser, text: string): number {
  const start = performance.now();
  try {
    parse(text);
  } catch {
    // A refusal also counts.
  }
  return performance.now() - start;
}

/** The pair of pieces whose repetition is slowest. */
function findSlowest(parse: Parser): string {
  let [slowest, longest] = ['', 0];
  for (const first of PIECES) {
    for (const second of ['', ...PIECES]) {
      const text = repeat(first + second, SMALL);
      // The first run includes the just-in-time compilation.
      const taken = Math.min(time(parse, text), time(parse, text));
      if (taken > longest) [slowest, longest] = [first + second, taken];
    }
  }
  return slowest;
}

export const benches: readonly Bench[] = Object.entries(PARSERS).map(([name, parse]) => {
  const piece = findSlowest(parse);
  const measure = (length: number) => async (): Promise<Figures> => {
    return { wall: time(parse, repeat(piece, length)), cpu: 0, peak: 0 };
  };
  return {
    name: `${name}: 64 KB of ${JSON.stringify(piece)} ÷ 16 KB`,
    peerName: '16 KB',
    runs: 9,
    ours: measure(LARGE),
    peer: measure(SMALL),
    limits: [{ metric: 'wall', most: MAX_COUNT }],
  };
});
