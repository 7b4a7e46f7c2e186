import type { Connection, ConnectionSpec, Driver } from '../../engine/connection/contract/connection.ts';
import { MEMORY } from '../../engine/connection/duckdb/instance/options.ts';
import { entryOf } from '../../invariants/must.ts';

interface Kept {
  readonly session: Promise<Connection | null>;
  readonly timer: NodeJS.Timeout;
}

/**
 * A DuckDB driver whose files stay open for `idleMs` after somebody has last connected to them, by an idle session of
 * its own: opening a file takes longer than most queries. Others can open the file when nobody uses it.
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
      // Whoever wants to use the database is told what is wrong with it.
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
