/** Tells the time; handed to whatever needs it, so that tests can stop it. */
export type Clock = () => Date;

/** The form in which times are stored and answered: ISO 8601, UTC, with milliseconds (interface section 1). */
export function toTimestamp(date: Date): string {
  return date.toISOString();
}
