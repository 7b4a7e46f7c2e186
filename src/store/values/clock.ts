/** Returns the current time; passed as a parameter, so that tests can control it. */
export type Clock = () => Date;

/**
 * The format of times in storage and responses: ISO 8601, UTC, with milliseconds (docs/reference/http-api.md#formats).
 */
export function toTimestamp(date: Date): string {
  return date.toISOString();
}
