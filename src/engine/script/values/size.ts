import { isList, isMap, type MapValue, type Value } from './value.ts';

/** Maximum size of a value: the characters of all its strings, and one for each of its parts. */
const MAX_SIZE = 16 * 1024 * 1024;
/** Maximum nesting of lists and maps: printing and comparing them is recursive. */
export const MAX_LEVELS = 500;

/** A value that is too large, or work that would not end. */
export class SizeError extends Error {}

interface Size {
  readonly total: number;
  readonly levels: number;
}

const cache = new WeakMap<object, Size>();

/** Returns the value. Throws a SizeError if it is too large or too deep: parts that it contains twice count twice. */
export function limitSize(value: Value): Value {
  findSize(value, 0);
  return value;
}

/** Throws a SizeError if a string is too long. */
export function limitLength(length: number): void {
  if (length > MAX_SIZE) throw new SizeError(`a string can have at most ${MAX_SIZE} characters`);
}

/** The size of a value that is nested in `outer` levels. */
function findSize(value: Value, outer: number): Size {
  if (typeof value === 'string') return { total: value.length + 1, levels: 0 };
  if (!isList(value) && !isMap(value)) return ONE;
  const size = cache.get(value) ?? measure(value, outer);
  if (size.total > MAX_SIZE) throw new SizeError(`a value can have at most ${MAX_SIZE} characters and parts`);
  if (outer + size.levels > MAX_LEVELS)
    throw new SizeError(`a value can be nested at most ${MAX_LEVELS} levels deep`);
  cache.set(value, size);
  return size;
}

const ONE: Size = { total: 1, levels: 0 };

function measure(value: readonly Value[] | MapValue, outer: number): Size {
  if (outer >= MAX_LEVELS) return { total: 1, levels: 1 };
  const parts = isList(value) ? value : value.entries.values();
  let total = 1;
  let levels = 0;
  for (const part of parts) {
    const size = findSize(part, outer + 1);
    total += size.total;
    levels = Math.max(levels, size.levels);
  }
  return { total, levels: levels + 1 };
}

/** The remaining loop iterations and macro calls of one execution. */
export class Budget {
  readonly #total: number;
  #left: number;

  constructor(total: number) {
    this.#total = total;
    this.#left = total;
  }

  /** The whole budget, for another execution. */
  renew(): Budget {
    return new Budget(this.#total);
  }

  /** Throws a SizeError if the budget is used up. */
  spend(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new SizeError('too many loop iterations and macro calls: this would never end');
  }
}
