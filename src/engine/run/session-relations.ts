import { randomUUID } from 'node:crypto';
import type { Connection } from '../connection/connection.ts';

/** A relation that a session keeps for a call; `needs` are those that it reads as long as it is a view. */
interface Kept {
  readonly type: 'table' | 'view';
  readonly needs: readonly string[];
}

/** The temporary objects of one session: the relations that stand for calls, and those that scripts make. */
export class SessionRelations {
  readonly #connection: Connection;
  readonly #signal: AbortSignal;
  /** No name of a user's is like ours. */
  readonly #prefix = `quern_${randomUUID().slice(0, 8)}`;
  readonly #live = new Map<string, Kept>();
  /** Objects of void blocks and of the script, which live as long as the session (language 5). */
  readonly #lasting = new Set<string>();
  #count = 0;
  /** The names of all temporary objects; null when a statement may have changed them. */
  #names: ReadonlySet<string> | null = null;

  constructor(connection: Connection, signal: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
  }

  /** Keeps the rows of a query, and returns under which name. */
  async create(query: string, mode: 'any' | 'table', needs: readonly string[]): Promise<string> {
    this.#count += 1;
    const name = `${this.#prefix}_${this.#count}`;
    const type = await this.#connection.relations.create(name, query, mode, this.#signal);
    this.#live.set(name, { type, needs: type === 'view' ? needs : [] });
    if (type === 'table') await this.drop(needs);
    return name;
  }

  /** Drops relations, and what they need. */
  async drop(names: readonly string[]): Promise<void> {
    const all = names.flatMap((name) => this.#listWithNeeds(name));
    if (all.length === 0) return;
    for (const name of all) this.#live.delete(name);
    await this.#connection.relations.drop(all, this.#signal);
  }

  #listWithNeeds(name: string): readonly string[] {
    const kept = this.#live.get(name);
    return kept === undefined ? [] : [name, ...kept.needs.flatMap((own) => this.#listWithNeeds(own))];
  }

  /** To be called before a statement that may write: what is a view must not see what is written. */
  async freeze(): Promise<void> {
    this.#names = null;
    const needed = new Set([...this.#live.values()].flatMap((kept) => kept.needs));
    const views = [...this.#live].filter(([name, { type }]) => type === 'view' && !needed.has(name));
    if (views.length === 0) return;
    await this.#connection.relations.freeze(
      views.map(([name]) => name),
      this.#signal,
    );
    for (const [name, { needs }] of views) {
      this.#live.set(name, { type: 'table', needs: [] });
      await this.drop(needs);
    }
  }

  /** To be called before a statement that makes something new and writes to nothing. */
  forget(): void {
    this.#names = null;
  }

  /** Does some work, and drops the temporary objects that it leaves, also when it fails. */
  async isolate<T>(work: () => Promise<T>, keep: (result: T) => readonly string[] = () => []): Promise<T> {
    const before = await this.#listNames();
    const live = new Set(this.#live.keys());
    let kept: readonly string[] = [];
    try {
      const result = await work();
      kept = keep(result).flatMap((name) => this.#listWithNeeds(name));
      return result;
    } finally {
      const names = new Set(kept);
      const left = [...this.#live.keys()].filter((name) => !live.has(name) && !names.has(name));
      // What went wrong has been said; what cannot be dropped now ends with the session.
      await this.drop(left).catch(() => {});
      await this.#dropNew(before).catch(() => {});
    }
  }

  async #dropNew(before: ReadonlySet<string>): Promise<void> {
    if (this.#names === before) return;
    const { relations } = this.#connection;
    const objects = await relations.listTemporary(this.#signal);
    const isLeft = (name: string) => !before.has(name) && !this.#lasting.has(name) && !this.#live.has(name);
    await relations.dropTemporary(
      objects.filter(({ name }) => isLeft(name)),
      this.#signal,
    );
    this.#names = null;
  }

  /** Does the work of a void block, whose temporary objects stay. */
  async keepAll<T>(work: () => Promise<T>): Promise<T> {
    const before = await this.#listNames();
    try {
      return await work();
    } finally {
      const after = this.#names === before ? before : await this.#listNames().catch(() => before);
      for (const name of after) if (!before.has(name) && !this.#live.has(name)) this.#lasting.add(name);
    }
  }

  async #listNames(): Promise<ReadonlySet<string>> {
    if (this.#names !== null) return this.#names;
    const objects = await this.#connection.relations.listTemporary(this.#signal);
    const names = new Set(objects.map(({ name }) => name).filter((name) => !this.#live.has(name)));
    this.#names = names;
    return names;
  }
}
