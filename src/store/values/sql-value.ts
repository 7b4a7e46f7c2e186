/** A value for a placeholder; booleans are stored as 0 and 1, and bytes are a BLOB. */
export type SqlValue = string | number | Uint8Array | null;
