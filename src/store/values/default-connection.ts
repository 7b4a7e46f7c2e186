/** The id of the connection `duckdb`, which every home has. */
export const DEFAULT_CONNECTION_ID = '00000000-0000-7000-8000-000000000003';
