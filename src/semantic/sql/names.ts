import type { Dialect } from './dialect.ts';

/** Generates names in a statement: unique ignoring case, and valid in the dialect. */
export class Names {
  readonly #taken: Set<string>;
  readonly #dialect: Dialect;

  constructor(dialect: Dialect, taken: readonly string[] = []) {
    this.#dialect = dialect;
    this.#taken = new Set(taken.map((name) => name.toLowerCase()));
  }

  /** Creates a name similar to the given one. */
  create(wish: string): string {
    const base = this.#clean(wish);
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? '' : `_${number}`;
      const name = this.#cut(base, suffix.length) + suffix;
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return name;
    }
  }

  #clean(wish: string): string {
    const { forbiddenInNames, joinsNames } = this.#dialect;
    const plain = wish.replace(/\p{Cc}/gu, ' ').trim();
    const name = joinsNames ? plain.replaceAll('.', '_') : plain;
    const clean = forbiddenInNames === null ? name : name.replace(forbiddenInNames, '_');
    return clean === '' ? 'x' : clean;
  }

  #cut(name: string, spare: number): string {
    const { unit, length } = this.#dialect.longestName;
    const max = length - spare;
    const measure = (text: string) => (unit === 'bytes' ? Buffer.byteLength(text) : text.length);
    if (name.length * 3 <= max || measure(name) <= max) return name;
    const characters = [...name];
    while (measure(characters.join('')) > max) characters.pop();
    return characters.join('').trimEnd();
  }
}
