import type { TabList } from '../../../api/editor/drafts.ts';
import { createStore } from '../../../api/store.ts';

/** What a tab of the browser tells the others. */
interface Note {
  readonly instance: string;
  /** The scripts that it has changed and not saved. */
  readonly keys: readonly string[];
  /** Whether the others should answer. */
  readonly isQuestion: boolean;
}

/** Tells the tabs of a browser which scripts the others have changed and not saved. */
export class Elsewhere {
  /** The scripts that other tabs have changed. */
  readonly keys = createStore<ReadonlySet<string>>(new Set());
  readonly #instance: string;
  readonly #channel: BroadcastChannel;
  readonly #others = new Map<string, readonly string[]>();
  #localKeys: readonly string[] = [];
  #isClosed = false;

  constructor({ user, instance }: Pick<TabList, 'user' | 'instance'>) {
    this.#instance = instance;
    this.#channel = new BroadcastChannel(`quern-editor/${user}`);
    this.#channel.onmessage = ({ data }: MessageEvent<Note>) => this.#hear(data);
    this.#tell(true);
    window.addEventListener('pagehide', () => this.set([]));
  }

  /** Tells the others which scripts this tab has changed. */
  set(keys: readonly string[]): void {
    if (keys.join('\n') === this.#localKeys.join('\n')) return;
    this.#localKeys = keys;
    this.#tell(false);
  }

  /** Tells the others nothing from now on. */
  close(): void {
    this.set([]);
    this.#isClosed = true;
    this.#channel.close();
  }

  #tell(isQuestion: boolean): void {
    if (this.#isClosed) return;
    const note: Note = { instance: this.#instance, keys: this.#localKeys, isQuestion };
    this.#channel.postMessage(note);
  }

  #hear({ instance, keys, isQuestion }: Note): void {
    this.#others.set(instance, keys);
    this.keys.set(new Set([...this.#others.values()].flat()));
    if (isQuestion) this.#tell(false);
  }
}
