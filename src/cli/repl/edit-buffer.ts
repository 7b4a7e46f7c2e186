import type { KeyName } from './keys.ts';

const SPACES_THEN_WORD = /[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/uy;
const WORD_THEN_SPACES = /[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u;
/** Characters before the cursor in which the start of a word is searched. */
const MAX_WORD = 1_000;

/** A text that is edited, of one or many lines. */
export class EditBuffer {
  #text = '';
  /** What follows the text: long texts arrive in many parts, which are joined once. */
  #parts: string[] = [];
  #length = 0;
  /** The parts that were appended since the last `takeAppended`; null after any other change. */
  #appended: string[] | null = null;
  cursor = 0;
  /** Whether lines were pasted, so that they are shown without prompts. */
  hasPaste = false;

  get text(): string {
    if (this.#parts.length > 0) this.#text += this.#parts.splice(0).join('');
    return this.#text;
  }

  set(text: string): void {
    this.#replace(text);
    this.cursor = text.length;
    this.hasPaste = false;
  }

  insert(text: string): void {
    if (this.isAtEnd) {
      this.#parts.push(text);
      this.#appended?.push(text);
      this.#length += text.length;
    } else this.#replace(this.text.slice(0, this.cursor) + text + this.text.slice(this.cursor));
    this.cursor += text.length;
  }

  /** The text that was appended since the last call; null if the text has changed otherwise. */
  takeAppended(): string | null {
    const appended = this.#appended?.join('') ?? null;
    this.#appended = [];
    return appended;
  }

  get length(): number {
    return this.#length;
  }

  get isAtEnd(): boolean {
    return this.cursor === this.#length;
  }

  #replace(text: string): void {
    this.#text = text;
    this.#parts = [];
    this.#length = text.length;
    this.#appended = null;
  }

  get lineStart(): number {
    return this.text.lastIndexOf('\n', this.cursor - 1) + 1;
  }

  get lineEnd(): number {
    const end = this.text.indexOf('\n', this.cursor);
    return end === -1 ? this.text.length : end;
  }

  /** Moves the cursor or deletes text; false for a key that does neither. */
  edit(key: KeyName): boolean {
    const edit = EDITS[key];
    if (edit !== undefined) edit(this);
    return edit !== undefined;
  }

  /** Moves the cursor to the line above or below; false without such a line. */
  moveLine(direction: 'up' | 'down'): boolean {
    const { text, cursor, lineStart, lineEnd } = this;
    const column = cursor - lineStart;
    if (direction === 'up') {
      if (lineStart === 0) return false;
      const start = lineStart < 2 ? 0 : text.lastIndexOf('\n', lineStart - 2) + 1;
      this.cursor = Math.min(start + column, lineStart - 1);
      return true;
    }
    if (lineEnd === text.length) return false;
    this.cursor = lineEnd + 1;
    this.cursor = Math.min(this.cursor + column, this.lineEnd);
    return true;
  }

  /** The position of the next or previous character. */
  step(direction: 1 | -1): number {
    const { text, cursor } = this;
    const next = cursor + direction;
    if (next <= 0) return 0;
    const splitsPair =
      /[\udc00-\udfff]/.test(text.charAt(next)) && /[\ud800-\udbff]/.test(text.charAt(next - 1));
    return Math.min(splitsPair ? next + direction : next, text.length);
  }

  wordLeft(): number {
    const before = this.text.slice(Math.max(0, this.cursor - MAX_WORD), this.cursor);
    return this.cursor - (WORD_THEN_SPACES.exec(before)?.[0].length ?? 0);
  }

  wordRight(): number {
    SPACES_THEN_WORD.lastIndex = this.cursor;
    return this.cursor + (SPACES_THEN_WORD.exec(this.text)?.[0].length ?? 0);
  }

  /** Deletes the text between the cursor and a position. */
  deleteTo(position: number): void {
    const [start, end] = [Math.min(position, this.cursor), Math.max(position, this.cursor)];
    this.#replace(this.text.slice(0, start) + this.text.slice(end));
    this.cursor = start;
  }
}

const EDITS: Partial<Record<KeyName, (buffer: EditBuffer) => void>> = {
  left: (buffer) => {
    buffer.cursor = buffer.step(-1);
  },
  right: (buffer) => {
    buffer.cursor = buffer.step(1);
  },
  home: (buffer) => {
    buffer.cursor = buffer.lineStart;
  },
  end: (buffer) => {
    buffer.cursor = buffer.lineEnd;
  },
  'word-left': (buffer) => {
    buffer.cursor = buffer.wordLeft();
  },
  'word-right': (buffer) => {
    buffer.cursor = buffer.wordRight();
  },
  backspace: (buffer) => buffer.deleteTo(buffer.step(-1)),
  delete: (buffer) => buffer.deleteTo(buffer.step(1)),
  'kill-left': (buffer) => buffer.deleteTo(buffer.lineStart),
  'kill-right': (buffer) => buffer.deleteTo(buffer.lineEnd),
  'kill-word': (buffer) => buffer.deleteTo(buffer.wordLeft()),
};
