import { elementAt } from '../../../invariants/must.ts';
import type { Span } from '../../text/span.ts';
import { type Rendered, toOriginalSpan } from './params.ts';

/** The origin of a range of rendered SQL: copied from a script, or the value of an expression in it. */
interface Segment {
  /** Its start in the output. */
  readonly at: number;
  readonly rendered: Rendered;
  readonly start: number;
  readonly end: number;
  readonly copied: boolean;
  /** The block or macro whose body contains it. */
  readonly block: string;
}

/** The position of a piece of rendered SQL in the author's source. */
export interface SourceLocation {
  readonly rendered: Rendered;
  readonly span: Span;
  readonly block: string;
}

/** Maximum length of rendered SQL, in UTF-16 units. */
const MAX_LENGTH = 64 * 1024 * 1024;

/** Thrown if the rendered SQL would be too long. */
export class OutputLimitError extends Error {}

/** Rendered SQL with the origin of every piece. */
export class RenderedSql {
  readonly #texts: string[] = [];
  readonly #segments: Segment[] = [];
  /** The spans of relation names that replace calls of blocks. */
  readonly #relations: Span[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get text(): string {
    if (this.#texts.length > 1) this.#texts.splice(0, this.#texts.length, this.#texts.join(''));
    return this.#texts[0] ?? '';
  }

  /** Copies a span of a script. */
  copy(rendered: Rendered, { start, end }: Span, block: string): void {
    this.#segments.push({ at: this.#length, rendered, start, end, copied: true, block });
    this.#push(rendered.text.slice(start, end));
  }

  /** Adds the value of an expression of a script. */
  insert(text: string, rendered: Rendered, { start, end }: Span, block: string): void {
    if (text === '') return;
    this.#segments.push({ at: this.#length, rendered, start, end, copied: false, block });
    this.#push(text);
  }

  /** Adds the name of the relation that replaces a call of a block. */
  insertRelation(name: string, rendered: Rendered, span: Span, block: string): void {
    this.#relations.push({ start: this.#length, end: this.#length + name.length });
    this.insert(name, rendered, span, block);
  }

  /** Whether a span of the output is exactly the name of a relation. */
  isRelation({ start, end }: Span): boolean {
    return this.#relations.some((relation) => relation.start === start && relation.end === end);
  }

  /** Moves the content of another output to this one; trims whitespace at the sides in `trim`. */
  take(other: RenderedSql, trim: { readonly start: boolean; readonly end: boolean }): void {
    const { text } = other;
    const start = trim.start ? text.length - text.trimStart().length : 0;
    const end = trim.end ? Math.max(start, text.trimEnd().length) : text.length;
    const shift = this.#length - start;
    for (const segment of other.#segments) {
      if (segment.at >= end) break;
      const cut = Math.max(0, start - segment.at);
      const from = segment.copied ? Math.min(segment.start + cut, segment.end) : segment.start;
      this.#segments.push({ ...segment, at: segment.at + cut + shift, start: from });
    }
    for (const relation of other.#relations) {
      this.#relations.push({ start: relation.start + shift, end: relation.end + shift });
    }
    this.#push(text.slice(start, end));
    other.#clear();
  }

  #clear(): void {
    this.#texts.length = 0;
    this.#segments.length = 0;
    this.#relations.length = 0;
    this.#length = 0;
  }

  #push(text: string): void {
    this.#length += text.length;
    if (this.#length > MAX_LENGTH) throw new OutputLimitError(`the SQL exceeds ${MAX_LENGTH} characters`);
    this.#texts.push(text);
  }

  /** The position in the author's source for a span of the output; null if the output is empty. */
  findOrigin({ start, end }: Span): SourceLocation | null {
    const segment = this.#segments[this.#findSegment(start)];
    if (segment === undefined) return null;
    const { rendered, block } = segment;
    const last = Math.min(end, segment.at + (segment.end - segment.start));
    const span = segment.copied
      ? { start: segment.start + start - segment.at, end: segment.start + Math.max(start, last) - segment.at }
      : segment;
    return { rendered, span: toOriginalSpan(rendered, span), block };
  }

  /** The last segment that starts at or before `at`. */
  #findSegment(at: number): number {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (elementAt(this.#segments, middle).at <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
