import { text } from 'node:stream/consumers';
import type { ConnectionSpec } from '../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';

/** The input of this program. */
export interface DrainRequest {
  readonly spec: ConnectionSpec;
  readonly sql: string;
}

/** The output: the number of rows, and the maximum of memory in MB. */
export interface Drained {
  readonly rows: number;
  readonly megabytes: number;
}

/** Reads all rows of the query on standard input, in a process whose memory is its own. */
async function drain(): Promise<Drained> {
  const { spec, sql }: DrainRequest = JSON.parse(await text(process.stdin));
  const driver = await loadDriver(spec.kind);
  const never = new AbortController().signal;
  const connection = await driver.connect(spec, never);
  const result = await connection.run(sql, never);
  let rows = 0;
  if (result.kind === 'rows') for await (const chunk of result.chunks) rows += chunk.rows;
  await connection.close();
  await driver.close();
  return { rows, megabytes: process.resourceUsage().maxRSS / 1024 };
}

console.log(JSON.stringify(await drain()));
