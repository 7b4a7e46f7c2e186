/** A key, or characters that are inserted as they are. */
export type TypedKey =
  | { readonly kind: 'text'; readonly text: string; readonly isPaste: boolean }
  | { readonly kind: KeyName };

export type KeyName =
  | 'enter'
  | 'tab'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'word-left'
  | 'word-right'
  | 'kill-left'
  | 'kill-right'
  | 'kill-word'
  | 'clear'
  | 'interrupt'
  | 'close'
  | 'suspend'
  | 'nothing';

const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\x7f': 'backspace',
  '\x01': 'home',
  '\x02': 'left',
  '\x03': 'interrupt',
  '\x04': 'close',
  '\x05': 'end',
  '\x06': 'right',
  '\x0b': 'kill-right',
  '\x0c': 'clear',
  '\x0e': 'down',
  '\x10': 'up',
  '\x15': 'kill-left',
  '\x17': 'kill-word',
  '\x1a': 'suspend',
};
/** Keys by the end of their sequence, after `ESC [` or `ESC O`. */
const SEQUENCES: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  '1~': 'home',
  '3~': 'delete',
  '4~': 'end',
  '7~': 'home',
  '8~': 'end',
  '1;5C': 'word-right',
  '1;3C': 'word-right',
  '1;5D': 'word-left',
  '1;3D': 'word-left',
};
const LETTERS: Readonly<Record<string, KeyName>> = {
  b: 'word-left',
  f: 'word-right',
  '\x7f': 'kill-word',
};

const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';
/** Printable characters, and NUL, which no key of an editor sends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches what is not a control character
const TEXT = /^[^\x01-\x1f\x7f]+/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences of a terminal
const SEQUENCE = /^\x1b(?:\[[\d;?<=>]*[ -/]*[@-~]|O[@-~]|[^[O])/;

/** How long the rest of a sequence, and the rest of a paste, may take, in milliseconds. */
const SEQUENCE_MS = 50;
const PASTE_MS = 2_000;

/** Reads what a terminal sends as keys; a bracketed paste is one text. */
export class KeyReader {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #onKeys: (keys: readonly TypedKey[]) => void;
  #rest = '';
  /** The parts of a paste whose end has not arrived; null outside of a paste. */
  #paste: string[] | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(onKeys: (keys: readonly TypedKey[]) => void) {
    this.#onKeys = onKeys;
  }

  /** Takes the next bytes. */
  take(bytes: Uint8Array): void {
    clearTimeout(this.#timer);
    const keys: TypedKey[] = [];
    let text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    this.#rest = '';
    // A paste without its end would take every key, also this one.
    if (this.#paste !== null && text === '\x03') keys.push(...this.#endPaste());
    while (text !== '') {
      const left = this.#paste === null ? this.#readKey(text, keys) : this.#readPaste(text, keys);
      if (left === null) break;
      text = left;
    }
    if (keys.length > 0) this.#onKeys(keys);
    this.#wait();
  }

  /** After a while, the start of a sequence is a key, and a paste has ended without its mark. */
  #wait(): void {
    if (this.#paste === null && this.#rest === '') return;
    const wait = this.#paste === null ? SEQUENCE_MS : PASTE_MS;
    this.#timer = setTimeout(() => {
      const keys = this.#paste === null ? [] : this.#endPaste();
      this.#rest = '';
      if (keys.length > 0) this.#onKeys(keys);
    }, wait);
    this.#timer.unref();
  }

  /** Reads the next key; returns the text after it, or null if the rest has to arrive first. */
  #readKey(text: string, keys: TypedKey[]): string | null {
    const plain = TEXT.exec(text)?.[0];
    if (plain !== undefined) {
      keys.push({ kind: 'text', text: plain, isPaste: false });
      return text.slice(plain.length);
    }
    if (text.startsWith(PASTE_START)) {
      this.#paste = [];
      return text.slice(PASTE_START.length);
    }
    const first = text.charAt(0);
    if (first !== '\x1b') {
      keys.push({ kind: CONTROLS[first] ?? 'nothing' });
      return text.slice(1);
    }
    const sequence = SEQUENCE.exec(text)?.[0];
    if (sequence === undefined) {
      this.#rest = text;
      return null;
    }
    keys.push({ kind: SEQUENCES[sequence.slice(2)] ?? LETTERS[sequence.slice(1)] ?? 'nothing' });
    return text.slice(sequence.length);
  }

  #readPaste(text: string, keys: TypedKey[]): string | null {
    const parts = this.#paste ?? [];
    const end = text.indexOf(PASTE_END);
    if (end === -1) {
      // The end mark may arrive in two parts.
      const open = text.lastIndexOf('\x1b');
      const isCut = open !== -1 && PASTE_END.startsWith(text.slice(open));
      parts.push(isCut ? text.slice(0, open) : text);
      this.#rest = isCut ? text.slice(open) : '';
      return null;
    }
    parts.push(text.slice(0, end));
    keys.push(...this.#endPaste());
    return text.slice(end + PASTE_END.length);
  }

  /** Terminals send line ends as `\r`, unless they send the text as it is. */
  #endPaste(): readonly TypedKey[] {
    const whole = (this.#paste ?? []).join('') + this.#rest;
    this.#paste = null;
    this.#rest = '';
    const text = whole.includes('\n') ? whole : whole.replaceAll('\r', '\n');
    return text === '' ? [] : [{ kind: 'text', text, isPaste: true }];
  }
}
