import type { Connection, ConnectionSpec, Driver } from '../../engine/connection/contract/connection.ts';
import { MEMORY } from '../../engine/connection/duckdb/instance/options.ts';
import { entryOf } from '../../invariants/must.ts';

interface Kept {
  readonly session: Promise<Connection | null>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Wraps a DuckDB driver: an idle session keeps each file open for `idleMs` after the last connect, because opening a
 * file takes longer than most queries. After that, other processes can open the file.
 */
export function keepIdleConnections(driver: Driver, idleMs: number): Driver {
  const kept = new Map<string, Kept>();

  async function drop(key: string): Promise<void> {
    const { session, timer } = entryOf(kept, key);
    kept.delete(key);
    clearTimeout(timer);
    await (await session)?.close();
  }

  function keep(spec: ConnectionSpec): void {
    const key = JSON.stringify([spec.name, spec.options]);
    const known = kept.get(key);
    if (known !== undefined) {
      known.timer.refresh();
      return;
    }
    const session = driver
      .connect({ ...spec, overrides: {} }, new AbortController().signal)
      // The error surfaces in the next connect.
      .catch(() => null);
    kept.set(key, { session, timer: setTimeout(() => drop(key), idleMs) });
  }

  return {
    async connect(spec, signal) {
      const opened = await driver.connect(spec, signal);
      if (spec.options.file !== MEMORY) keep(spec);
      return opened;
    },
    async close() {
      await Promise.all([...kept.keys()].map(drop));
      await driver.close();
    },
  };
}
