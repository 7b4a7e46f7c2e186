import type { DatabaseFunction } from './database-function.ts';

/**
 * The functions of MySQL and MariaDB, by kind, as names between blanks: neither database lists those that it has built
 * in. Those that only one of the two has are here, too.
 */
const NAMES: Readonly<Record<'scalar' | 'aggregate' | 'window', string>> = {
  scalar: `
    abs acos adddate addtime aes_decrypt aes_encrypt ascii asin atan atan2 benchmark bin bit_count bit_length cast ceil
    ceiling char char_length character_length charset coalesce coercibility collation compress concat concat_ws
    connection_id conv convert convert_tz cos cot crc32 curdate current_date current_role current_time
    current_timestamp current_user curtime database date date_add date_format date_sub datediff day dayname dayofmonth
    dayofweek dayofyear degrees elt exp export_set extract extractvalue field find_in_set floor format found_rows
    from_base64 from_days from_unixtime get_format get_lock greatest hex hour if ifnull inet6_aton inet6_ntoa inet_aton
    inet_ntoa insert instr interval is_free_lock is_ipv4 is_ipv6 is_used_lock isnull json_array json_array_append
    json_array_insert json_contains json_contains_path json_depth json_extract json_insert json_keys json_length
    json_merge_patch json_merge_preserve json_object json_overlaps json_pretty json_quote json_remove json_replace
    json_search json_set json_type json_unquote json_valid json_value last_day last_insert_id lcase least left length
    ln load_file localtime localtimestamp locate log log10 log2 lower lpad ltrim make_set makedate maketime md5
    microsecond mid minute mod month monthname natural_sort_key now nullif nvl nvl2 oct octet_length ord period_add
    period_diff pi position pow power quarter quote radians rand random_bytes regexp_instr regexp_replace regexp_substr
    release_all_locks release_lock repeat replace reverse right round row_count rpad rtrim schema sec_to_time second
    session_user sha1 sha2 sign sin sleep soundex space sqrt st_area st_asgeojson st_astext st_contains st_distance
    st_geomfromtext st_intersects st_length st_within st_x st_y str_to_date strcmp subdate substr substring
    substring_index subtime sysdate system_user tan time time_format time_to_sec timediff timestamp timestampadd
    timestampdiff to_base64 to_char to_days to_seconds trim truncate ucase uncompress uncompressed_length unhex
    unix_timestamp updatexml upper user utc_date utc_time utc_timestamp uuid uuid_short version week weekday weekofyear
    weight_string year yearweek`,
  aggregate: `
    avg bit_and bit_or bit_xor count group_concat json_arrayagg json_objectagg max min std stddev stddev_pop stddev_samp
    sum var_pop var_samp variance`,
  window: `
    cume_dist dense_rank first_value lag last_value lead median nth_value ntile percent_rank percentile_cont
    percentile_disc rank row_number`,
};

/** The functions of MySQL and MariaDB; only their names and kinds. */
export function listMysqlFunctions(): readonly DatabaseFunction[] {
  return (['scalar', 'aggregate', 'window'] as const).flatMap((kind) =>
    NAMES[kind]
      .trim()
      .split(/\s+/)
      .map((name) => ({ name, kind, signatures: [], description: null })),
  );
}
