import type { Bench, Figures } from './bench.ts';
import { PARSERS, type Parser, PIECES } from './parsers/parsers.ts';

// Whether the time that a parser of callers' texts takes grows with the text alone: every pair of 57 pieces is repeated to
// 16 KB, and the slowest text of each parser is then compared with one of 64 KB. Four times as long is what it should take.
const SMALL = 16_000;
const LARGE = 64_000;
/** More than four, for what the compiler of the engine and other processes do meanwhile. */
const MAX_COUNT = 8;

const repeat = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

/** How long a text takes, in milliseconds, whatever the parser says of it. */
function time(parse: Parser, text: string): number {
  const start = performance.now();
  try {
    parse(text);
  } catch {
    // A refusal is an answer.
  }
  return performance.now() - start;
}

/** The pair of pieces whose repetition takes longest. */
function findSlowest(parse: Parser): string {
  let [slowest, longest] = ['', 0];
  for (const first of PIECES) {
    for (const second of ['', ...PIECES]) {
      const text = repeat(first + second, SMALL);
      // The first time, some of it is compiled.
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
