/** The work of one session, one piece at a time. */
export class OneAtATime {
  #running: Promise<unknown> | null = null;

  /** Does some work. Rejects while other work runs, and like the work itself. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running !== null) throw new Error('a session runs one statement at a time');
    const running = work();
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#running = null;
    }
  }

  /** Resolves when no work runs; never rejects. */
  async settle(): Promise<void> {
    await this.#running?.catch(() => {});
  }
}
