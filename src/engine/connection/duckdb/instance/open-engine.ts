import { Engine } from './engine.ts';
import { toOpenError } from './errors.ts';
import { InstanceRegistry } from './instances.ts';
import type { DuckDbOptions } from './options.ts';

const instances = new InstanceRegistry();

/** Connects to a file, which other sessions of this process may share. Rejects with a DatabaseError. */
export async function openEngine(options: DuckDbOptions): Promise<Engine> {
  const lease = await instances.acquire(options);
  try {
    return new Engine(await lease.connect(), lease, options);
  } catch (error) {
    await lease.release();
    throw toOpenError(error, options.file);
  }
}

/** Waits until all unused files are closed. */
export function closeInstances(): Promise<void> {
  return instances.close();
}
