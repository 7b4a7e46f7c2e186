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

/** A size in bytes, KB or MB; 1 KB is 1,024 bytes. */
export function printSize(bytes: number): string {
  if (bytes < 1024) return printCounted(bytes, 'byte');
  if (bytes < 1024 * 1024) return `${ONE_DIGIT.format(bytes / 1024)} KB`;
  return `${ONE_DIGIT.format(bytes / 1024 / 1024)} MB`;
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
