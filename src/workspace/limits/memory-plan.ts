import { totalmem } from 'node:os';
import { present } from '../../invariants/must.ts';

/** How much memory there is for what runs SQL, in bytes. */
export interface MemoryPlan {
  /** What each DuckDB database may take before it spills to the disk. */
  readonly database: number;
  /** At how much the process in which all of them are is ended, and started again. */
  readonly ceiling: number;
}

/** The part of the machine's memory that a database may take, where nobody has said so, and the most. */
const DEFAULT_SHARE = 0.5;
const MAX_SHARE = 0.8;
/** Less is not enough for plain queries. */
const MIN_BYTES = 64 * 1024 ** 2;
/** What the process takes beside its databases. */
const OWN = 1024 ** 3;

const UNITS: Readonly<Record<string, number>> = {
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  MIB: 1024 ** 2,
  GIB: 1024 ** 3,
  TIB: 1024 ** 4,
};

/** What is wrong with an amount of memory, as an end of a sentence that begins with its name. */
export class MemoryError extends Error {}

/** Bytes that there are for this process and those that it starts. */
export function findMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** What a text such as `4GB`, `512MiB` or `50%` says: bytes, or a percentage; null for any other text. */
export function parseAmount(text: string): { readonly value: number; readonly unit: 'B' | '%' } | null {
  const [, digits = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?) ?(%|[MGT]i?B)$/i.exec(text.trim()) ?? [];
  if (digits === '') return null;
  if (unit === '%') return { value: Number(digits), unit };
  return { value: Math.floor(Number(digits) * present(UNITS[unit.toUpperCase()])), unit: 'B' };
}

/** Bytes of a text such as `4GB`, `512MiB` or `50%` of all memory. Throws a MemoryError. */
export function readMemory(text: string, all = findMemory()): number {
  const amount = parseAmount(text);
  if (amount === null) throw new MemoryError(`is ${text}: it looks like 4GB, 512MiB or 50%`);
  const bytes = amount.unit === '%' ? Math.floor((amount.value * all) / 100) : amount.value;
  if (bytes < MIN_BYTES) throw new MemoryError(`is ${text}: at least ${printMegabytes(MIN_BYTES)}`);
  if (bytes <= all * MAX_SHARE) return bytes;
  throw new MemoryError(`is ${text}: at most 80% of the memory, which is ${printMegabytes(all)} here`);
}

/**
 * The memory of databases as it was given, else half of what there is. Their process may have half as much again and
 * 1 GiB, but comes no nearer to all memory than half way: other processes need some.
 */
export function planMemory(given?: number, all = findMemory()): MemoryPlan {
  const database = given ?? all * DEFAULT_SHARE;
  return { database, ceiling: Math.min(database * 1.5 + OWN, (database + all) / 2) };
}

/** As the engine takes it. */
export function printMegabytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 ** 2)}MiB`;
}
