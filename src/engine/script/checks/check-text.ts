import type { Span } from '../../text/span.ts';
import type { Rendered } from '../params/params.ts';
import { Regions } from '../params/regions.ts';

/** The text of a check in the script language: new text, and expressions of its file with their parameters. */
export class CheckText {
  readonly #from: Rendered;
  readonly #regions = new Regions();
  #text = '';

  constructor(from: Rendered) {
    this.#from = from;
  }

  add(text: string): void {
    this.#text += text;
  }

  /** Copies an expression; a parameter in it is still one value. */
  copy({ start, end }: Span): void {
    const shift = this.#text.length - start;
    const { regions, text } = this.#from;
    for (let next = regions.next(start, false); next !== null && next.end <= end; ) {
      this.#regions.add(next.start + shift, next.end - next.start, next.original);
      next = regions.next(next.start, true);
    }
    this.#text += text.slice(start, end);
  }

  finish(): Rendered {
    const { source, values } = this.#from;
    return { source, text: this.#text, regions: this.#regions, values, textless: [] };
  }
}
