import type { DraftStore, TabList } from '../../../api/editor/drafts.ts';
import { createStore } from '../../../api/store.ts';

/** How long a text waits until the browser keeps it, so that not every key writes; a long one is written less often. */
const DELAY_MS = 250;
const LONG_DELAY_MS = 2_000;
/** UTF-16 units above which a text is long. */
const LONG_TEXT = 100_000;
/** The maximum UTF-16 units that one tab of the browser keeps. */
const MAX_KEPT = 64_000_000;

/** A text to keep; null to forget it. `read` is called when it is written. */
interface Keeping {
  readonly length: number;
  readonly etag: string | null;
  readonly read: () => string;
}

/** Keeps the texts and tabs of one user in the browser. */
export class Keeper {
  /** Why the browser does not keep the texts; null while it does. */
  readonly error = createStore<Error | null>(null);
  readonly #store: DraftStore | null;
  readonly #owner: Pick<TabList, 'user' | 'instance'>;
  readonly #waiting = new Map<string, Keeping | null>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #sizes = new Map<string, number>();
  #isStopped = false;

  constructor(store: DraftStore | null, owner: Pick<TabList, 'user' | 'instance'>) {
    this.#store = store;
    this.#owner = owner;
    if (store === null) this.error.set(new Error('This browser does not keep texts for this page'));
    // The last moments in which a page can act before it is closed or reloaded.
    window.addEventListener('pagehide', () => this.flush());
    document.addEventListener('visibilitychange', () => this.flush());
  }

  /** Keeps the text of a key, or forgets it, after a short time. */
  keep(key: string, keeping: Keeping | null): void {
    this.#waiting.set(key, keeping);
    if (this.#timers.has(key)) return;
    const delay = keeping !== null && keeping.length > LONG_TEXT ? LONG_DELAY_MS : DELAY_MS;
    this.#timers.set(
      key,
      setTimeout(() => this.#flushOne(key), delay),
    );
  }

  /** Keeps the list of tabs. */
  keepTabs(list: Pick<TabList, 'tabs' | 'active'>): void {
    this.#write(async (store) => store.putList({ ...this.#owner, ...list }));
  }

  /** Keeps nothing from now on. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Writes what is waiting. */
  flush(): void {
    for (const key of [...this.#waiting.keys()]) this.#flushOne(key);
  }

  #flushOne(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    const keeping = this.#waiting.get(key);
    if (keeping === undefined) return;
    this.#waiting.delete(key);
    this.#write((store) => this.#writeOne(store, key, keeping));
  }

  #writeOne(store: DraftStore, key: string, keeping: Keeping | null): Promise<void> {
    const id = { ...this.#owner, key };
    this.#sizes.set(key, keeping?.length ?? 0);
    if (keeping === null) return store.removeDraft(id);
    const size = [...this.#sizes.values()].reduce((sum, length) => sum + length, 0);
    if (size > MAX_KEPT) return Promise.reject(new Error('The texts of the open tabs are too long to keep'));
    const { etag, read } = keeping;
    return store.putDraft({ ...id, text: read(), etag, updated_at: new Date().toISOString() });
  }

  #write(act: (store: DraftStore) => Promise<void>): void {
    if (this.#store === null || this.#isStopped) return;
    act(this.#store).then(
      () => this.error.set(null),
      (error: unknown) => this.error.set(error instanceof Error ? error : new Error(String(error))),
    );
  }
}
