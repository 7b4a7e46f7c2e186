import { totalmem } from 'node:os';
import { present } from '../invariants/must.ts';
import { type Reading, SettingError } from './setting.ts';

/** A limit of disk space: bytes, or a share of the available space. */
type DiskAmount = { readonly bytes: number } | { readonly share: number };

const MAX_MEMORY_SHARE = 0.8;
/** The minimum for plain queries, in bytes. */
const MIN_MEMORY = 64 * 1024 ** 2;
/** The minimum in bytes; an empty database with its log already needs some. */
const MIN_DISK = 16 * 1024 ** 2;

const UNITS: Readonly<Record<string, number>> = {
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  MIB: 1024 ** 2,
  GIB: 1024 ** 3,
  TIB: 1024 ** 4,
};

/** The memory in bytes that this process and its child processes can use. */
export function findMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Parses an amount of memory such as `4GB`, `512MiB` or `50%` of all memory, in bytes. Throws a SettingError. */
export function readMemory(text: string, { name }: Pick<Reading, 'name'>, all = findMemory()): number {
  const refuse = (why: string) => new SettingError(`${name} is ${text}: ${why}`);
  const amount = parseAmount(text);
  if (amount === null) throw refuse('expected a value such as 4GB, 512MiB or 50%');
  const bytes = amount.unit === '%' ? Math.floor((amount.value * all) / 100) : amount.value;
  if (bytes < MIN_MEMORY) throw refuse(`at least ${printMegabytes(MIN_MEMORY)}`);
  if (bytes <= all * MAX_MEMORY_SHARE) return bytes;
  throw refuse(`at most 80% of the memory, which is ${printMegabytes(all)} here`);
}

/**
 * Parses a limit such as `20GB`, `512MiB` or `50%` of the file size and the free space together. Throws a
 * SettingError.
 */
export function readDisk(text: string, { name }: Pick<Reading, 'name'>): DiskAmount {
  const refuse = (why: string) => new SettingError(`${name} is ${text}: ${why}`);
  const amount = parseAmount(text);
  if (amount === null) throw refuse('expected a value such as 20GB, 512MiB or 50%');
  if (amount.unit === '%') {
    if (amount.value > 0 && amount.value <= 100) return { share: amount.value / 100 };
    throw refuse('it must be above 0% and at most 100%');
  }
  if (amount.value < MIN_DISK) throw refuse(`at least ${printMegabytes(MIN_DISK)}`);
  return { bytes: amount.value };
}

/** Parses an amount as bytes or as a percentage; null for any other text. */
function parseAmount(text: string): { readonly value: number; readonly unit: 'B' | '%' } | null {
  const [, digits = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?) ?(%|[MGT]i?B)$/i.exec(text.trim()) ?? [];
  if (digits === '') return null;
  if (unit === '%') return { value: Number(digits), unit };
  return { value: Math.floor(Number(digits) * present(UNITS[unit.toUpperCase()])), unit: 'B' };
}

/** An amount in the syntax of DuckDB. */
export function printMegabytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 ** 2)}MiB`;
}
