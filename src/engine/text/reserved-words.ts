/** Words, in lower case, that need quotes as the name of a table or schema in at least one supported version. */
/** The words of a text. */
export function toSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** Reserved in DuckDB and in PostgreSQL. */
const SHARED = `
  all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate
  collation column concurrently constraint create cross default deferrable desc distinct do else end except
  false fetch for foreign freeze from full group having ilike in initially inner intersect into is isnull join
  lateral leading left like limit natural not notnull null offset on only or order outer overlaps placing
  primary references returning right select similar some symmetric table tablesample then to trailing true union
  unique using variadic verbose when where window with`;

/** Reserved in DuckDB, but a column can have this name. */
export const DUCKDB_COLUMNS = 'columns generated map struct try_cast';

export const RESERVED_DUCKDB = toSet(`${SHARED} ${DUCKDB_COLUMNS}
  anti asof at by describe glob lambda pivot pivot_longer pivot_wider positional qualify semi show summarize unpack
  unpivot`);

export const RESERVED_POSTGRESQL = toSet(`${SHARED}
  current_catalog current_date current_role current_schema current_time current_timestamp current_user grant
  localtime localtimestamp session_user system_user user`);

/** Reserved in MySQL, but a column of MariaDB can have this name. */
export const MARIADB_COLUMNS = `
  cube cume_dist database dense_rank empty first_value function generated get grouping groups io_after_gtids
  io_before_gtids json_table lag last_value lateral lead library manual master_bind nth_value ntile of
  optimizer_costs parallel percent_rank qualify rank row schema stored system tablesample virtual window value`;

export const RESERVED_MYSQL = toSet(`${MARIADB_COLUMNS}
  accessible add all alter analyze and as asc asensitive before between bigint binary blob both by call cascade
  case change char character check collate column condition constraint continue convert create cross
  current_date current_role current_time current_timestamp current_user cursor databases day_hour
  day_microsecond day_minute day_second dec decimal declare default delayed delete delete_domain_id desc
  describe deterministic distinct distinctrow div do_domain_ids double drop dual each else elseif enclosed
  escaped except exists exit explain false fetch float float4 float8 for force foreign from fulltext grant group
  having high_priority hour_microsecond hour_minute hour_second if ignore ignore_domain_ids in index infile
  inner inout insensitive insert int int1 int2 int3 int4 int8 integer intersect interval into is iterate join
  key keys kill leading leave left like limit linear lines load localtime localtimestamp lock long longblob
  longtext loop low_priority master_demote_to_replica master_demote_to_slave master_ssl_verify_server_cert match
  maxvalue mediumblob mediumint mediumtext middleint minute_microsecond minute_second mod modifies natural
  no_write_to_binlog not null numeric offset on optimize optionally or order out outer outfile over
  page_checksum parse_vcol_expr partition portion precision primary procedure purge range read read_write reads
  real recursive ref_system_id references regexp release rename repeat replace require resignal restrict return
  returning revoke right rlike row_number rows schemas second_microsecond select sensitive separator set show
  signal smallint spatial specific sql sql_big_result sql_calc_found_rows sql_small_result sqlexception sqlstate
  sqlwarning ssl starting stats_auto_recalc stats_persistent stats_sample_pages straight_join table terminated
  then tinyblob tinyint tinytext to trailing trigger true undo union unique unlock unsigned update usage use
  using utc_date utc_time utc_timestamp values varbinary varchar varcharacter varying when where while
  with write xor year_month zerofill`);

export const RESERVED_TRINO = toSet(`
  alter and as auto between by case cast constraint create cross cube current_catalog current_date current_path
  current_role current_schema current_time current_timestamp current_user deallocate delete describe distinct drop
  else end escape except execute exists extract false for from full group grouping having in inner insert intersect
  into is join json_array json_exists json_object json_query json_table json_value left like listagg localtime
  localtimestamp natural normalize not null on or order outer prepare recursive right rollup select skip table then
  trim true uescape union unnest using values when where with`);
