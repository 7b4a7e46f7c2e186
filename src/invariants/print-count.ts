/** Formats a count with commas, as in 32,000. `toLocaleString` would cost a process up to 80 ms on its first call. */
export function printCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
