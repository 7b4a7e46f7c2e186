import type { Connection } from '../src/engine/connection/contract/connection.ts';
import { countRows, never, readRows } from '../test/engine/connection/results.ts';
import type { Bench, Figures } from './bench.ts';

/** A statement is repeated for this time in milliseconds for one figure, because the times of short runs vary. */
const FIGURE_MS = 200;

/** A session in a database, and the database's processor time so far, in milliseconds. */
export interface SqlSession {
  readonly connection: Connection;
  readonly readCpu: () => number;
}

/** A generated statement, and statements that people would write for it. */
interface Comparison {
  readonly name: string;
  readonly sql: string;
  /** The statements by the name of their method. */
  readonly byHand: Readonly<Record<string, string>>;
  readonly most: number;
}

/** The processor time of this process, for a database inside it. */
export function readOwnCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Compares a statement with the best one by hand; refuses statements with other rows. */
export async function compareSql(
  session: SqlSession,
  { name, sql, byHand, most }: Comparison,
): Promise<Bench> {
  const { connection } = session;
  const due = await printRows(connection, sql);
  const peers: { readonly way: string; readonly text: string; readonly cpu: number }[] = [];
  for (const [way, text] of Object.entries(byHand)) {
    const rows = await printRows(connection, text);
    if (rows !== due) throw new Error(`${name}: other rows ${way}\n${due}\n${rows}`);
    peers.push({ way, text, ...(await measure(session, text, 5)) });
  }
  const best = peers.reduce((one, other) => (other.cpu < one.cpu ? other : one));
  const times = Math.ceil(FIGURE_MS / best.cpu);
  return {
    name,
    peerName: best.way,
    runs: 9,
    ours: () => measure(session, sql, times),
    peer: () => measure(session, best.text, times),
    limits: [{ metric: 'cpu', most }],
  };
}

/** Some runs; the figure is the processor time of the database, which other work on the machine hardly changes. */
async function measure({ connection, readCpu }: SqlSession, sql: string, times: number): Promise<Figures> {
  const [start, cpu] = [performance.now(), readCpu()];
  for (let time = 0; time < times; time++) await countRows(connection, sql);
  return { wall: (performance.now() - start) / times, cpu: (readCpu() - cpu) / times, peak: Number.NaN };
}

/** The rows as sorted text; fractions of every type have the same number of digits. */
async function printRows(connection: Connection, sql: string): Promise<string> {
  const { columns, rows } = await readRows(await connection.run(sql, never));
  const print = (value: unknown, column: number): string => {
    const { type } = columns[column]!;
    if (value === null || value === '') return '';
    if (type.kind === 'decimal') return (Number(value) / 10 ** type.scale).toFixed(4);
    const isFraction = type.kind === 'float' || /^-?\d+\.\d+$/.test(String(value));
    return isFraction ? Number(value).toFixed(4) : String(value);
  };
  return rows
    .map((row) => row.map(print).join('|'))
    .sort()
    .join('\n');
}
