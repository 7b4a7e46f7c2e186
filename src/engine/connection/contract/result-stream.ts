import type { Chunk } from '../../result/columns/column.ts';
import { EarlyCollection } from './early-collection.ts';

/** One statement and the server's answer. */
interface Exchange {
  /** The next rows; null at the successful end. Rejects with a DatabaseError. */
  next(): Promise<Chunk | null>;
  /** Ends the exchange in any state; never rejects. */
  leave(): Promise<void>;
}

/** The rows of one result, to be read once; the first rows have already arrived. */
export class ResultStream {
  readonly #exchange: Exchange;
  #first: Chunk | null;

  constructor(exchange: Exchange, first: Chunk | null) {
    this.#exchange = exchange;
    this.#first = first;
  }

  /** Throws a DatabaseError: `cancelled`, or `late` when the server fails. Leaving the iteration stops the query. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk, void, undefined> {
    const collection = new EarlyCollection();
    try {
      let chunk = this.#first;
      this.#first = null;
      for (chunk ??= await this.#exchange.next(); chunk !== null; chunk = await this.#exchange.next()) {
        collection.noteChunk();
        yield chunk;
      }
    } finally {
      collection.end();
      await this.#exchange.leave();
    }
  }
}
