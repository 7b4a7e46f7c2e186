import type { CliContext } from '../context/context.ts';
import { EditBuffer } from './edit-buffer.ts';
import type { History } from './history.ts';
import { KeyReader, type TypedKey } from './keys.ts';
import { Screen } from './screen.ts';

const PASTES_ON = '\x1b[?2004h';
const PASTES_OFF = '\x1b[?2004l';
/** After a Tab, how long another key may take that makes it a part of a pasted text, in milliseconds. */
const TAB_MS = 30;

/** A longer text is shown when no key follows at once, in UTF-16 code units. */
const LONG = 64 * 1024;

/** What an editor needs of its session. */
export interface EditorOptions {
  readonly context: Pick<CliContext, 'stdin'>;
  readonly history: History;
  /** Whether Enter runs the text; see `Completeness`. */
  readonly check: (appended: string | null, readText: () => string) => boolean;
  /** The candidates for the last word of a line, and that word. */
  readonly complete: (line: string) => Promise<readonly [candidates: readonly string[], word: string]>;
  /** Ctrl-C while nothing is read. */
  readonly onInterrupt: () => void;
}

/** The prompts of a text. */
export interface Prompts {
  readonly first: string;
  readonly continuation: string;
}

/**
 * Reads texts of one or many lines from the terminal, which sends every key from the start to the end of the session,
 * so that nothing that is typed ahead is lost.
 */
export class LineEditor {
  readonly #options: EditorOptions;
  readonly #buffer = new EditBuffer();
  readonly #screen: Screen;
  #keys: TypedKey[] = [];
  /** The number of keys that have been handled. */
  #handled = 0;
  #wake: (() => void) | null = null;
  #isReading = false;
  /** Whether the last key has arrived. */
  #isClosed = false;
  #prompts: Prompts = { first: '', continuation: '' };
  /** The position in the history; -1 for the text that is being typed. */
  #at = -1;
  #typed = '';

  constructor(options: EditorOptions) {
    this.#options = options;
    const { stdin } = options.context;
    this.#screen = new Screen(
      (text) => void process.stdout.write(text),
      () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
    );
    const reader = new KeyReader((keys) => this.#receive(keys));
    stdin.on('data', (bytes: Buffer) => reader.take(bytes));
    stdin.once('end', () => this.#end());
    process.stdout.on('resize', this.#onResize);
    this.#open();
  }

  /**
   * Reads one text; `start` is what it begins with. Null at the end of the session (Ctrl-D), when the terminal has
   * closed, or after `close`.
   */
  async read(prompts: Prompts, start: string): Promise<string | null> {
    this.#prompts = prompts;
    this.#buffer.set(start);
    [this.#at, this.#typed] = [-1, ''];
    this.#isReading = true;
    try {
      for (;;) {
        // Keys that were typed ahead are shown together.
        const isShown = !this.#hasKeys && (this.#buffer.length <= LONG || (await this.#isQuiet()));
        if (isShown) this.#draw();
        const key = await this.#next();
        const end = key === null ? null : await this.#handle(key);
        if (end !== undefined) return end;
      }
    } finally {
      this.#screen.leave();
      this.#isReading = false;
    }
  }

  /** Gives the terminal back. */
  close(): void {
    this.#end();
    process.stdout.off('resize', this.#onResize);
    this.#release();
    this.#options.context.stdin.pause();
  }

  #open(): void {
    this.#options.context.stdin.setRawMode(true);
    process.stdout.write(PASTES_ON);
  }

  #release(): void {
    process.stdout.write(PASTES_OFF);
    this.#options.context.stdin.setRawMode(false);
  }

  #end(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  readonly #onResize = () => {
    if (!this.#isReading) return;
    this.#screen.clear();
    this.#draw();
  };

  #receive(keys: readonly TypedKey[]): void {
    for (const key of keys) {
      if (key.kind === 'interrupt' && !this.#isReading) {
        // As on any terminal, Ctrl-C drops the keys that were typed before it.
        this.#forgetKeys();
        this.#options.onInterrupt();
      } else if (key.kind === 'suspend' && !this.#isReading) this.#suspend();
      else this.#keys.push(key);
    }
    this.#wake?.();
  }

  async #next(): Promise<TypedKey | null> {
    while (!this.#hasKeys && !this.#isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const key = this.#keys[this.#handled] ?? null;
    this.#handled += 1;
    if (!this.#hasKeys) this.#forgetKeys();
    return key;
  }

  get #hasKeys(): boolean {
    return this.#handled < this.#keys.length;
  }

  #forgetKeys(): void {
    this.#keys = [];
    this.#handled = 0;
  }

  /** Handles a key; returns the text at its end, null at the end of the session, and undefined before that. */
  async #handle(key: TypedKey): Promise<string | null | undefined> {
    const buffer = this.#buffer;
    switch (key.kind) {
      case 'text':
        buffer.insert(key.text);
        buffer.hasPaste ||= key.isPaste && key.text.includes('\n');
        return undefined;
      case 'enter':
        return this.#enter();
      case 'tab':
        await this.#tab();
        return undefined;
      case 'close':
        return this.#closeOrDelete();
      case 'interrupt':
        this.#interrupt();
        return undefined;
      case 'up':
      case 'down':
        if (!buffer.moveLine(key.kind)) this.#recall(key.kind === 'up' ? 1 : -1);
        return undefined;
      case 'clear':
        this.#screen.clear();
        process.stdout.write('\x1b[H\x1b[2J');
        return undefined;
      case 'suspend':
        this.#suspend();
        return undefined;
      default:
        buffer.edit(key.kind);
        return undefined;
    }
  }

  #draw(): void {
    const { text, cursor, hasPaste } = this.#buffer;
    const { first, continuation } = this.#prompts;
    this.#screen.draw({ text, cursor, prompt: first, continuation: hasPaste ? '' : continuation });
  }

  #enter(): string | undefined {
    const buffer = this.#buffer;
    if (this.#options.check(buffer.takeAppended(), () => buffer.text)) {
      buffer.cursor = buffer.text.length;
      this.#draw();
      return buffer.text;
    }
    buffer.insert('\n');
    return undefined;
  }

  /** Completes a word; a Tab before other keys is a part of a pasted text. */
  async #tab(): Promise<void> {
    const buffer = this.#buffer;
    const line = buffer.text.slice(buffer.lineStart, buffer.cursor);
    if (!/\S$/.test(line) || !(await this.#isQuiet())) {
      buffer.insert('\t');
      return;
    }
    const [candidates, word] = await this.#options.complete(line);
    const common = findCommonStart(candidates);
    if (common.length > word.length) {
      buffer.deleteTo(buffer.cursor - word.length);
      buffer.insert(common);
    } else if (candidates.length > 1) {
      this.#screen.leave();
      process.stdout.write(`${candidates.join('  ')}\n`);
    }
  }

  /** Whether no key follows at once. */
  async #isQuiet(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, TAB_MS);
    if (!this.#hasKeys) await promise;
    clearTimeout(timer);
    return !this.#hasKeys;
  }

  #closeOrDelete(): null | undefined {
    const buffer = this.#buffer;
    const isEnd = buffer.text.trim() === '' || (buffer.isAtEnd && buffer.text.endsWith('\n'));
    if (isEnd) return null;
    buffer.edit('delete');
    return undefined;
  }

  #interrupt(): void {
    this.#buffer.cursor = this.#buffer.text.length;
    this.#draw();
    process.stdout.write('^C');
    this.#screen.leave();
    this.#buffer.set('');
    [this.#at, this.#typed] = [-1, ''];
  }

  #recall(step: 1 | -1): void {
    const { entries } = this.#options.history;
    const at = this.#at + step;
    if (at < -1 || at >= entries.length) return;
    if (this.#at === -1) this.#typed = this.#buffer.text;
    this.#at = at;
    this.#buffer.set(at === -1 ? this.#typed : (entries[at] ?? ''));
  }

  /** Stops the processes of this job, as Ctrl-Z does without an editor; `fg` continues them. */
  #suspend(): void {
    this.#screen.leave();
    this.#release();
    process.once('SIGCONT', () => {
      this.#open();
      this.#screen.forget();
      if (this.#isReading) this.#draw();
    });
    process.kill(0, 'SIGTSTP');
  }
}

function findCommonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
