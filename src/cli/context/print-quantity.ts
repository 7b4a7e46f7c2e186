/** A count with its noun: `1 file`, `2 files`. */
export function printQuantity(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
