import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  FILE_READERS,
  REFUSED_FUNCTIONS,
  REFUSED_TABLE_FUNCTIONS,
  REFUSED_VIEWS,
} from '../../../../../src/engine/connection/duckdb/gate/functions.ts';
import { openMemory } from '../../../result/encode.ts';
import { query } from '../../results.ts';

/** Table functions and table macros that return only data that sessions may read. */
const ALLOWED_TABLES = `duckdb_approx_database_count duckdb_columns duckdb_connection_count duckdb_constraints
  duckdb_coordinate_systems duckdb_dependencies duckdb_extensions duckdb_functions duckdb_indexes
  duckdb_keywords duckdb_memory duckdb_optimizers duckdb_prepared_statements duckdb_profiling_settings duckdb_schemas
  duckdb_secret_types duckdb_sequences duckdb_table_sample duckdb_tables duckdb_types duckdb_variables
  duckdb_views generate_series icu_calendar_names json_each json_tree pg_timezone_names pragma_collations
  pragma_database_size pragma_metadata_info pragma_platform pragma_show pragma_storage_info pragma_table_info
  pragma_user_agent pragma_version range repeat repeat_row summary test_all_types test_vector_types unnest`
  .trim()
  .split(/\s+/);

/** Functions that only PRAGMA can call; the gate refuses PRAGMA. */
const PRAGMAS = `add_parquet_key all_profiling_output collations copy_database database_list database_size
  disable_checkpoint_on_shutdown disable_object_cache disable_optimizer disable_print_progress_bar disable_profile
  disable_profiling disable_progress_bar disable_verification disable_verify_external disable_verify_fetch_row
  disable_verify_parallelism disable_verify_serializer enable_checkpoint_on_shutdown enable_object_cache
  enable_optimizer enable_print_progress_bar enable_profile enable_profiling enable_progress_bar enable_verification
  extension_versions force_checkpoint functions import_database json_execute_serialized_sql metadata_info platform show
  show_databases show_tables show_tables_expanded storage_info table_info user_agent verify_external verify_fetch_row
  verify_parallelism verify_serializer version`
  .trim()
  .split(/\s+/);

/** Named arguments that readers accept; none of them is a path. */
const READER_OPTIONS =
  `all_varchar allow_quoted_nulls auto_detect auto_type_candidates binary_as_string buffer_size
  can_have_nan column_names column_types columns comment compression convert_strings_to_integers date_format dateformat
  debug_use_openssl decimal_separator delim dtypes encoding encryption_config escape explicit_cardinality
  field_appearance_threshold file_row_number filename files_to_sniff force_match force_not_null format header
  hive_partitioning hive_types hive_types_autocast ignore_errors map_inference_threshold max_line_size maximum_depth
  maximum_line_size maximum_object_size maximum_sample_files names new_line normalize_names null_padding nullstr parallel
  parquet_version quote records rejects_limit rejects_scan rejects_table sample_size schema sep skip store_rejects
  strict_mode thousands timestamp_format timestampformat types union_by_name`
    .trim()
    .split(/\s+/);

/** Macros and views that use refused functions, but return only harmless data: names, and how to profile. */
const HARMLESS = ['duckdb_profiling_settings', 'pg_database'];

/** Functions of DuckDB's command line that its library does not have. */
const ELSEWHERE = ['getenv'];

async function listNames(sql: string): Promise<readonly string[]> {
  const connection = await openMemory();
  try {
    return (await query(connection, sql)).map(([name]) => String(name));
  } finally {
    await connection.close();
  }
}

const listFunctions = (where: string) =>
  listNames(`SELECT DISTINCT function_name FROM duckdb_functions() WHERE ${where} ORDER BY function_name`);

/** After a new version of the engine, a developer classifies each function that these tests report. */
describe('the lists of functions', () => {
  it('contain every table function and every table macro', async () => {
    const found = await listFunctions("function_type IN ('table', 'table_macro')");
    const refused = [...REFUSED_FUNCTIONS, ...REFUSED_TABLE_FUNCTIONS, ...FILE_READERS];
    const known = new Set([...ALLOWED_TABLES, ...refused]);
    expect(found.filter((name) => !known.has(name))).toEqual([]);
    expect(ALLOWED_TABLES.filter((name) => !found.includes(name))).toEqual([]);
    expect(ALLOWED_TABLES.filter((name) => refused.includes(name))).toEqual([]);
  });

  it('contain every pragma', async () => {
    expect(await listFunctions("function_type = 'pragma'")).toEqual(PRAGMAS);
  });

  it('contain every other function', async () => {
    const allowed = readFileSync(path.join(import.meta.dirname, 'allowed-functions.txt'), 'utf8')
      .trim()
      .split('\n');
    const found = await listFunctions("function_type IN ('scalar', 'aggregate', 'macro')");
    expect(found.filter((name) => !REFUSED_FUNCTIONS.has(name))).toEqual(allowed);
  });

  it('refuse only existing functions', async () => {
    const found = await listFunctions('true');
    const listed = [...REFUSED_FUNCTIONS, ...REFUSED_TABLE_FUNCTIONS, ...FILE_READERS];
    expect(listed.filter((name) => !found.includes(name))).toEqual(ELSEWHERE);
    const views = await listNames('SELECT view_name FROM duckdb_views() WHERE internal');
    expect([...REFUSED_VIEWS].filter((name) => !views.includes(name))).toEqual([]);
  });

  it('contain the internal macros and views that use refused functions', async () => {
    const refused = [...REFUSED_FUNCTIONS, ...FILE_READERS];
    const calls = `'\\b"?(?:${refused.join('|')})"?\\s*\\('`;
    const macros = await listNames(`SELECT DISTINCT function_name FROM duckdb_functions()
      WHERE internal AND regexp_matches(macro_definition, ${calls})`);
    const known = new Set([...REFUSED_FUNCTIONS, ...REFUSED_TABLE_FUNCTIONS, ...HARMLESS]);
    expect(macros.length).toBeGreaterThan(0);
    expect(macros.filter((name) => !known.has(name))).toEqual([]);
    const views = await listNames(
      `SELECT view_name FROM duckdb_views() WHERE internal AND regexp_matches(sql, ${calls})`,
    );
    expect(views.filter((name) => !REFUSED_VIEWS.has(name) && !HARMLESS.includes(name))).toEqual([]);
  });

  it('contain the arguments that file readers accept', async () => {
    const names = [...FILE_READERS].map((name) => `'${name}'`).join(', ');
    const options = await listNames(`SELECT DISTINCT unnest(parameters) AS name FROM duckdb_functions()
      WHERE function_name IN (${names}) ORDER BY name`);
    expect(options.filter((name) => !/^col\d$/.test(name))).toEqual(READER_OPTIONS);
  });
});
