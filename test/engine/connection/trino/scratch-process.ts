import { createInterface } from 'node:readline';
import { trinoDriver } from '../../../../src/engine/connection/trino/driver.ts';
import { never, query } from '../results.ts';

// A process for `scratch.test.ts`: `scratch-process.ts OPTIONS` stores rows, prints `ready`, waits for a line, prints
// the stored rows and ends.

const options: Readonly<Record<string, string>> = JSON.parse(process.argv[2] ?? '');
const session = await trinoDriver.connect({ name: 'test', kind: 'trino', options, overrides: {} }, never);
await session.relations.createTable('quern_1', 'SELECT 7 AS n', never);
console.log('ready');
for await (const _ of createInterface({ input: process.stdin })) break;
const rows = await query(session, `SELECT n FROM ${session.relations.scratch?.print('quern_1')}`);
console.log(JSON.stringify(rows));
await session.close();
