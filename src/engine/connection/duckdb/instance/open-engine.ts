import { Engine } from './engine.ts';
import { toOpenError } from './errors.ts';
import { InstanceRegistry } from './instances.ts';
import type { DuckDbOptions } from './options.ts';

const instances = new InstanceRegistry();

/** Connects to a file, which others of this process may have open, too. Rejects with a DatabaseError. */
export async function openEngine(options: DuckDbOptions): Promise<Engine> {
  const lease = await instances.acquire(options);
  try {
    return new Engine(await lease.connect(), lease, options.name);
  } catch (error) {
    await lease.release();
    throw toOpenError(error, options.file);
  }
}

/** Waits until every file that nobody uses is closed. */
export function closeInstances(): Promise<void> {
  return instances.close();
}
