/** The number of parts of the cases that rotate; a run takes one of them. */
const PARTS = 3;

/** The seed of this run, which `vitest.config.ts` finds; `all` runs every case. */
const seed = process.env.QUERN_SEED ?? 'all';

/** Whether every case runs. */
export const runsAll = seed === 'all';

/** Spreads neighbours, which are often similar, over all parts. */
const spread = (index: number) => Math.imul(index + 1, 0x9e3779b1) >>> 0;

/**
 * The third of the cases that this run takes, in their order: the remainder of the seed chooses it, so that three
 * consecutive seeds take all cases.
 */
export function rotate<T>(cases: readonly T[]): readonly T[] {
  if (runsAll) return cases;
  if (cases.length < PARTS) throw new Error(`${cases.length} cases cannot rotate: each part needs one`);
  const order = cases.map((_, index) => index).sort((one, other) => spread(one) - spread(other));
  const own = new Set(order.filter((_, place) => place % PARTS === Number(seed) % PARTS));
  return cases.filter((_, index) => own.has(index));
}

/** The numbers from 1 to `count` that this run takes. */
export function rotateTo(count: number): readonly number[] {
  return rotate(Array.from({ length: count }, (_, index) => index + 1));
}

/** The number of random cases that this run takes, of `count`. */
export function share(count: number): number {
  return runsAll ? count : Math.ceil(count / PARTS);
}
