import type { FolderItemCount } from '../../../api/catalog/catalog.ts';

const COUNT = new Intl.NumberFormat();
const ONE_DIGIT = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** A number with separators of thousands. */
export function printCount(count: number): string {
  return COUNT.format(count);
}

/** A number with the noun that fits it. */
export function printCounted(count: number, noun: string): string {
  return `${COUNT.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;

/** A size in bytes, KB, MB, GB or TB; 1 KB is 1,024 bytes. */
export function printSize(bytes: number): string {
  if (bytes < 1024) return printCounted(bytes, 'byte');
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length);
  return `${ONE_DIGIT.format(bytes / 1024 ** power)} ${UNITS[power - 1]}`;
}

/** The size of a text in UTF-8, in bytes. */
export function measureText(text: string): number {
  return new Blob([text]).size;
}

/** The number of items below a folder, in words. */
export function printFolderSize({ folders, scripts, is_complete }: FolderItemCount): string {
  if (!is_complete) return `more than ${printCount(folders + scripts)} items`;
  return `${printCounted(folders, 'folder')} and ${printCounted(scripts, 'script')}`;
}
