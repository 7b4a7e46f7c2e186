import type { ClosedText, ClosedTextStore } from '../../../api/editor/closed-texts.ts';
import { createStore } from '../../../api/store.ts';

/** The closed texts that are kept; a further one replaces the oldest. */
const MAX_CLOSED = 10;
/** The maximum UTF-16 units of all of them; the last closed one is kept with any length. */
const MAX_LENGTH = 32_000_000;

/** The texts that a user has closed last, which the browser keeps. */
export class ClosedTexts {
  /** The last closed one first. */
  readonly list = createStore<readonly ClosedText[]>([]);
  readonly #user: string;
  readonly #store: ClosedTextStore | null;

  constructor(user: string, store: ClosedTextStore | null, kept: readonly ClosedText[]) {
    this.#user = user;
    this.#store = store;
    const newest = kept.toSorted((one, other) => other.closed_at.localeCompare(one.closed_at));
    this.list.set(limit(newest));
  }

  /** Adds a text; another one with its key and text is the same. */
  add(text: Omit<ClosedText, 'user' | 'id' | 'closed_at'>): void {
    const added = { ...text, user: this.#user, id: crypto.randomUUID(), closed_at: new Date().toISOString() };
    const isSame = (other: ClosedText) => other.key === added.key && other.text === added.text;
    const all = [added, ...this.list.get().filter((other) => !isSame(other))];
    const kept = limit(all);
    for (const other of this.list.get()) if (!kept.includes(other)) this.#remove(other);
    this.list.set(kept);
    // Without the browser's storage, the text can be reopened until the page is closed.
    void this.#store?.put(added).catch(() => undefined);
  }

  /** Takes a text out; by default the last closed one. Null without one. */
  take(id: string | undefined): ClosedText | null {
    const all = this.list.get();
    const text = id === undefined ? all[0] : all.find((other) => other.id === id);
    if (text === undefined) return null;
    this.list.set(all.filter((other) => other !== text));
    this.#remove(text);
    return text;
  }

  #remove(text: ClosedText): void {
    void this.#store?.remove(text).catch(() => undefined);
  }
}

/** The first texts, up to the limits. */
function limit(texts: readonly ClosedText[]): readonly ClosedText[] {
  let length = 0;
  return texts.slice(0, MAX_CLOSED).filter(({ text }, at) => {
    length += text?.length ?? 0;
    return at === 0 || length <= MAX_LENGTH;
  });
}
