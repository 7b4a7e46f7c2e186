/** The mean as a floating-point type: the exact sum, divided once; NULL without values. */
export function createMean(float: string): (arg: string) => string {
  return (arg) => `CAST(SUM(${arg}) AS ${float}) / NULLIF(COUNT(${arg}), 0)`;
}
