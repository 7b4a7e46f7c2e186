import { onTestFinished } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { trinoDriver } from '../../../../src/engine/connection/trino/driver.ts';
import { never } from '../results.ts';

/** Opens a session that ends with the test. */
export async function openTrino(
  options: Readonly<Record<string, string>>,
  overrides: Readonly<Record<string, string>> = {},
): Promise<Connection> {
  const connection = await trinoDriver.connect({ name: 'test', kind: 'trino', options, overrides }, never);
  onTestFinished(() => connection.close());
  return connection;
}
