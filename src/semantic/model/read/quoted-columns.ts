import {
  DUCKDB_COLUMNS,
  MARIADB_COLUMNS,
  RESERVED_DUCKDB,
  RESERVED_MYSQL,
  RESERVED_POSTGRESQL,
  RESERVED_TRINO,
  toSet,
} from '../../../engine/text/reserved-words.ts';

/** Reserved words that are values. */
const VALUES = `
  current_catalog current_date current_path current_role current_schema current_time current_timestamp current_user
  false localtime localtimestamp null session_user system_user true user utc_date utc_time utc_timestamp`;

/** The words, in lower case, that are not expressions: a column with this name needs quotes. */
export const QUOTED_COLUMNS: Readonly<Record<string, ReadonlySet<string>>> = {
  duckdb: leaveOut(RESERVED_DUCKDB, `${VALUES} ${DUCKDB_COLUMNS}`),
  postgresql: leaveOut(RESERVED_POSTGRESQL, VALUES),
  mysql: leaveOut(RESERVED_MYSQL, `${VALUES} ${MARIADB_COLUMNS}`),
  trino: leaveOut(RESERVED_TRINO, VALUES),
};

function leaveOut(all: ReadonlySet<string>, words: string): ReadonlySet<string> {
  const others = toSet(words);
  return new Set([...all].filter((word) => !others.has(word)));
}
