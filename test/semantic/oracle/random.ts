/** Choices that depend only on a seed. */
export interface Random {
  /** An integer of 0 … `below` - 1. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** Some values in another order, at most `most`. */
  sample<T>(values: readonly T[], most: number): T[];
}

/** The choices of one seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = (seed * 0x9e3779b1 + 0x85ebca6b) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (values) => values[int(values.length)]!,
    sample(values, most) {
      const rest = [...values];
      const taken: (typeof rest)[number][] = [];
      while (rest.length > 0 && taken.length < most) taken.push(...rest.splice(int(rest.length), 1));
      return taken;
    },
  };
}
