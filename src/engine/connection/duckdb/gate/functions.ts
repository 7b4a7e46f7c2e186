/**
 * Functions that SQL on a server may not call in any position
 * (docs/reference/server-sql.md#statements-functions-and-files). A test compares all functions of the engine with these
 * lists.
 */
export const REFUSED_FUNCTIONS: ReadonlySet<string> = new Set([
  // Run a string as SQL, or plan it.
  'query',
  'query_table',
  'json_execute_serialized_sql',
  'json_serialize_plan',
  'histogram_values',
  // Change global state: logs, profiles, parsers, the database file.
  'enable_logging',
  'disable_logging',
  'truncate_duckdb_logs',
  'write_log',
  'enable_profiling',
  'disable_profiling',
  'enable_peg_parser',
  'disable_peg_parser',
  'check_peg_parser',
  'checkpoint',
  'force_checkpoint',
  // Show the activity of other users, secrets, or details of the machine.
  'duckdb_logs',
  'duckdb_logs_parsed',
  'duckdb_log_contexts',
  'duckdb_secrets',
  'which_secret',
  'duckdb_databases',
  'duckdb_settings',
  'duckdb_external_file_cache',
  'duckdb_temporary_files',
  'sql_auto_complete',
  'getenv',
  // Read memory by its address, or a file as a database.
  'arrow_scan',
  'arrow_scan_dumb',
  'seq_scan',
  'read_duckdb',
]);

/** Functions that are only rejected as table functions; scalar functions of the same name are harmless. */
export const REFUSED_TABLE_FUNCTIONS: ReadonlySet<string> = new Set(['histogram']);

/** System views that may not be read. */
export const REFUSED_VIEWS: ReadonlySet<string> = new Set([
  'duckdb_logs',
  'duckdb_databases',
  'pragma_database_list',
  'pg_settings',
]);

/** Settings that `current_setting` may show: how the engine computes. Others reveal details of the machine. */
export const SHOWN_SETTINGS: ReadonlySet<string> = new Set([
  'access_mode',
  'calendar',
  'default_collation',
  'default_null_order',
  'default_order',
  'disabled_optimizers',
  'duckdb_api',
  'integer_division',
  'max_expression_depth',
  'memory_limit',
  'null_order',
  'old_implicit_casting',
  'order_by_non_integer_literal',
  'pivot_limit',
  'preserve_identifier_case',
  'preserve_insertion_order',
  'scalar_subquery_error_on_multiple_rows',
  'schema',
  'search_path',
  'threads',
  'timezone',
  'worker_threads',
]);

/** Functions that read files; their first argument is the path. */
export const FILE_READERS: ReadonlySet<string> = new Set([
  'glob',
  'parquet_bloom_probe',
  'parquet_file_metadata',
  'parquet_full_metadata',
  'parquet_kv_metadata',
  'parquet_metadata',
  'parquet_scan',
  'parquet_schema',
  'read_blob',
  'read_csv',
  'read_csv_auto',
  'read_json',
  'read_json_auto',
  'read_json_objects',
  'read_json_objects_auto',
  'read_ndjson',
  'read_ndjson_auto',
  'read_ndjson_objects',
  'read_parquet',
  'read_text',
  'sniff_csv',
]);
