import type { Chunk } from '../../result/columns/column.ts';
import type { Run } from '../contract/run-inner.ts';
import { Exchange } from './exchange.ts';
import type { QueryContext } from './query.ts';

/**
 * Runs statements as the user of a session, with its settings, while a statement of the session itself runs. The rows
 * must fit into memory.
 */
export function createAside(context: QueryContext): Run {
  const quiet = { ...context, noteQueued: () => {} };
  return async (statement, signal) => {
    const exchange = new Exchange({ ...quiet, state: context.state.fork(), statement, signal });
    try {
      const all: Chunk[] = [];
      for (let next = await exchange.begin(); next !== null; next = await exchange.next()) all.push(next);
      const { columns, rowsChanged } = exchange;
      return columns === null
        ? { kind: 'done', rowsChanged }
        : { kind: 'rows', columns, chunks: iterate(all) };
    } finally {
      await exchange.leave();
    }
  };
}

async function* iterate(chunks: readonly Chunk[]): AsyncGenerator<Chunk, void, undefined> {
  yield* chunks;
}
