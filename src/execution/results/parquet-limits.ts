/** The exit code of the process that writes a Parquet file when the rows are too large. */
export const TOO_LARGE = 3;
