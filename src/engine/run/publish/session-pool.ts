import type { Connection } from '../../connection/contract/connection.ts';
import type { BlockRunner } from '../blocks/block-runner.ts';

/** A session for one publication or test at a time, and what runs blocks in it. */
export interface WorkSession {
  readonly connection: Connection;
  readonly runner: BlockRunner;
}

/** The session of the execution, and how others are opened. */
interface PoolOptions extends WorkSession {
  /** Opens another session, which ends with the execution; null if another session is not allowed. */
  readonly openSession: () => Promise<WorkSession | null>;
}

/**
 * Sessions for parallel publications; each publication has its own session (docs/reference/calls.md#sessions). If no
 * other session is allowed, the pool uses the session of the execution.
 */
export class SessionPool {
  readonly #options: PoolOptions;
  readonly #free: WorkSession[];
  readonly #waiting: ((session: WorkSession) => void)[] = [];
  /** The number of sessions, free or in use. */
  #count: number;

  /** `free`: open sessions that the pool uses before it opens others. */
  constructor(options: PoolOptions, free: readonly WorkSession[] = []) {
    this.#options = options;
    this.#free = [...free];
    this.#count = free.length;
  }

  async take(): Promise<WorkSession> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const session = (await this.#options.openSession()) ?? (this.#count === 0 ? this.#options : null);
    if (session !== null) {
      this.#count += 1;
      return session;
    }
    const { promise, resolve } = Promise.withResolvers<WorkSession>();
    this.#waiting.push(resolve);
    return promise;
  }

  release(session: WorkSession): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(session);
    else next(session);
  }
}
