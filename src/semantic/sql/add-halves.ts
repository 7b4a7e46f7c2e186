/** Half of the lower plus half of the higher value in the middle: exact, with one more digit than the values. */
export function addHalves(low: string, high: string, half = '0.5'): string {
  return `(${half} * ${low} + ${half} * ${high})`;
}
