/** The mean as a floating number of a type: the exact sum, divided once; NULL of nothing. */
export function createMean(float: string): (arg: string) => string {
  return (arg) => `CAST(SUM(${arg}) AS ${float}) / NULLIF(COUNT(${arg}), 0)`;
}
