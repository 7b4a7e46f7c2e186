/** Work of one session, of which a second piece must not begin before the first has ended. */
export class OneAtATime {
  #running: Promise<unknown> | null = null;

  /** Does some work. Rejects when there is some under way, and as the work does. */
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

  /** Resolves when nothing is under way; never rejects. */
  async settle(): Promise<void> {
    await this.#running?.catch(() => {});
  }
}
