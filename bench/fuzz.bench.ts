import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Bench, Figures } from './bench.ts';
import { PARSERS, type Parser, PIECES } from './parsers/parsers.ts';

// A million random texts for each parser of user input, from pieces and from parts of real files. A parser must either
// accept or refuse each text, and no text may take much longer than an average text of its length. A run of one piece
// takes time in proportion to its length.
const TEXTS = 1_000_000;
/** In characters; for shorter texts, the fixed cost of a call dominates. */
const MIN_LENGTH = 100;
const MAX_LENGTH = 300;
/** In multiples of the average time for each character. */
const MAX_COUNT = 20;
/** The number of slowest texts that are measured again: most of them were slow only because of an interruption. */
const KEPT = 50;
const AGAIN = 9;
const SEED = 20_261_123;

const fixtures = path.join(import.meta.dirname, '../fixtures');
const read = (pattern: string) =>
  globSync(pattern, { cwd: fixtures }).map((file) => readFileSync(path.join(fixtures, file), 'utf8'));
/** Without large numbers, because they make loops slow. */
const scripts = read('**/*.sql').map((text) => text.replaceAll(/\d{3,}/g, '9'));
/** Real texts of the parsers that do not read scripts. */
const REAL: Readonly<Record<string, readonly string[]>> = {
  manifests: read('**/project.toml'),
  'semantic models': read('**/*.yaml').map((text) => text.slice(text.indexOf('layers:') + 7)),
  'SCIM filters': [
    'emails[type eq "work" and value co "@a"] or not (active eq true)',
    'name.givenName sw "J"',
  ],
  'test selectors': ['sales/**', '*.orders?', 'a*b*c'],
  'JSON bodies': [
    '{"sql": "SELECT 1", "params": {"a": [1, -2.5e3, null]}, "connection": {"name": "duckdb"}}',
  ],
};

/** Pseudo-random numbers below `limit`, the same in each run. */
function createRandom(): (limit: number) => number {
  let state = SEED;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Texts that consist of pieces, or of a part of a real text with deletions, repetitions and insertions. */
function createTexts(real: readonly string[]): () => string {
  const random = createRandom();
  const pick = (list: readonly string[]) => list[random(list.length)] ?? '';
  const cut = (text: string, length: number) => {
    const start = random(Math.max(1, text.length - length));
    return text.slice(start, start + length);
  };
  return () => {
    const length = MIN_LENGTH + random(MAX_LENGTH - MIN_LENGTH);
    let text = random(2) === 0 ? '' : cut(pick(real), length);
    const changes = text === '' ? 1 : random(6);
    for (let change = 0; change < changes; change += 1) {
      const at = random(text.length + 1);
      const added = random(3) === 0 ? cut(text, random(30)) : pick(PIECES);
      text = text.slice(0, at) + added + text.slice(at + random(8));
    }
    while (text.length < length) text += pick(PIECES);
    return text.slice(0, MAX_LENGTH);
  };
}

/** Measures how long a text takes, in milliseconds. Throws if the parser neither accepts nor refuses it. */
function time(name: string, parse: Parser, text: string): number {
  const start = performance.now();
  try {
    parse(text);
  } catch (error) {
    const isFault = [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind);
    if (isFault) throw new Error(`${name} fail on ${JSON.stringify(text)}`, { cause: error });
  }
  return performance.now() - start;
}

const perCharacter = (taken: number, text: string): number => taken / text.length;

/** The slowest text for its length, and the average time for a character, in milliseconds. */
function fuzz(name: string, parse: Parser): { readonly slowest: string; readonly average: number } {
  const next = createTexts(REAL[name] ?? scripts);
  let suspects: { readonly text: string; readonly taken: number }[] = [];
  let [total, characters] = [0, 0];
  for (let count = 0; count < TEXTS; count += 1) {
    const text = next();
    const taken = time(name, parse, text);
    total += taken;
    characters += text.length;
    suspects.push({ text, taken: perCharacter(taken, text) });
    if (suspects.length === 100 * KEPT) suspects = keepSlowest(suspects);
  }
  const again = suspects.map(({ text }) => ({ text, taken: measure(name, parse, text) }));
  return { slowest: keepSlowest(again)[0]?.text ?? '', average: total / characters };
}

function keepSlowest<Suspect extends { readonly taken: number }>(suspects: Suspect[]): Suspect[] {
  return suspects.sort((one, other) => other.taken - one.taken).slice(0, KEPT);
}

/** The shortest of several times for a character. */
function measure(name: string, parse: Parser, text: string): number {
  return perCharacter(Math.min(...Array.from({ length: AGAIN }, () => time(name, parse, text))), text);
}

/** What a run repeats: a character of each class, and pieces that open, end or separate something. */
const REPEATED = [
  ...new Set([
    ...PIECES,
    ...'_A\r\0\u00a0/<>!|%&^~',
    '0x',
    '1e',
    '$1',
    'a,',
    '1,',
    '(a',
    '{a',
    'a.',
    '-1',
    'a:',
    '"a"',
  ]),
];
/** What follows the run; some patterns look back over a run only when the text after it does not match. */
const TAILS = ['', '!', ' x'];
/** In characters. */
const RUN = 16_000;
const LONG_RUN = 4 * RUN;
/** In multiples of the time for each character of a run; 4 is quadratic time. */
const MAX_GROWTH = 2.5;

const repeat = (piece: string, tail: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)) + tail;

/** The piece and the tail whose time for a character grows most with the length of their run. */
function findGrowth(name: string, parse: Parser): { readonly run: string; readonly long: string } {
  const runs = REPEATED.flatMap((piece) =>
    TAILS.map((tail) => ({ run: repeat(piece, tail, RUN), long: repeat(piece, tail, LONG_RUN) })),
  );
  let most = { growth: 0, run: repeat('a', '', RUN), long: repeat('a', '', LONG_RUN) };
  for (const { run, long } of runs) {
    time(name, parse, run);
    const taken = time(name, parse, long);
    // The clock and the collector of garbage are too coarse for shorter times.
    if (taken < 3) continue;
    const growth = perCharacter(taken, long) / perCharacter(time(name, parse, run), run);
    if (growth > most.growth) most = { growth, run, long };
  }
  return most;
}

const toFigures = (wall: number): Promise<Figures> => Promise.resolve({ wall: wall * 1e6, cpu: 0, peak: 0 });

const randomTexts: readonly Bench[] = Object.entries(PARSERS).map(([name, parse]) => {
  const { slowest, average } = fuzz(name, parse);
  return {
    name: `${name}: a million characters like the slowest of ${TEXTS} texts ÷ the average`,
    peerName: 'average',
    runs: AGAIN,
    ours: () => toFigures(measure(name, parse, slowest)),
    peer: () => toFigures(average),
    limits: [{ metric: 'wall', most: MAX_COUNT }],
  };
});

const longRuns: readonly Bench[] = Object.entries(PARSERS).map(([name, parse]) => {
  const { run, long } = findGrowth(name, parse);
  return {
    name: `${name}: a million characters like a run of ${LONG_RUN} ÷ like one of ${RUN}`,
    peerName: 'the shorter run',
    runs: 3,
    ours: () => toFigures(measure(name, parse, long)),
    peer: () => toFigures(measure(name, parse, run)),
    limits: [{ metric: 'wall', most: MAX_GROWTH }],
  };
});

export const benches = [...longRuns, ...randomTexts];
