/** What can be bound to a placeholder; booleans are stored as 0 and 1. */
export type SqlValue = string | number | null;
