/** Whether a text may set the seed of a connection's random numbers. */
export function setsSeed(sql: string): boolean {
  return /setseed/i.test(sql);
}
