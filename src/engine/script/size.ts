import { isList, isMap, type Value } from './value.ts';

/** How large a value may be: the characters of all its texts, and one for each of its parts. */
const LARGEST = 16 * 1024 * 1024;

/** A value that would be too large, or work that would never end. */
export class SizeError extends Error {}

const known = new WeakMap<object, number>();

/** The value itself. Throws a SizeError where it is too large: parts that it holds twice count twice. */
export function limitSize(value: Value): Value {
  if (findSize(value) > LARGEST)
    throw new SizeError(`a value may have at most ${LARGEST} characters and parts`);
  return value;
}

/** Throws a SizeError for a text of so many characters. */
export function limitLength(length: number): void {
  if (length > LARGEST) throw new SizeError(`a text may have at most ${LARGEST} characters`);
}

function findSize(value: Value): number {
  if (typeof value === 'string') return value.length + 1;
  if (!isList(value) && !isMap(value)) return 1;
  const found = known.get(value);
  if (found !== undefined) return found;
  const parts = isList(value) ? value : value.entries.values();
  let size = 1;
  for (const part of parts) size += findSize(part);
  known.set(value, size);
  return size;
}

/** How much may still be done in one execution: rounds of loops, and macros that are expanded. */
export class Budget {
  #left: number;

  constructor(left: number) {
    this.#left = left;
  }

  /** Throws a SizeError when it is used up. */
  spend(): void {
    this.#left -= 1;
    if (this.#left < 0)
      throw new SizeError('too many rounds of loops and calls of macros: this would never end');
  }
}
