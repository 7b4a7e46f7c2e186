import { mysqlRules } from '../../text/lexical-rules.ts';
import { SQL_DIALECT } from '../../text/sql-dialect.ts';
import { DatabaseError, type Relations } from '../contract/connection.ts';
import { isRepeatable, mayHaveBareNull, STABLE_AGGREGATES } from '../contract/is-repeatable.ts';
import { type Run, readTexts, runAround } from '../contract/run-inner.ts';
import { describeQuery } from '../server/describe-query.ts';
import { TEXT } from './publishing-sql.ts';
import { listWords, type Word } from './statement.ts';
import type { TableName, TemporaryTables } from './temporary-tables.ts';
import { isUntyped } from './types.ts';

const { quoteName, quoteText } = SQL_DIALECT.mysql;
const STRICT = 'ONLY_FULL_GROUP_BY';

/**
 * Stores rows in temporary tables; a query with repeatable rows is inserted into the statement itself. There are no
 * temporary views.
 */
export function createRelations(run: Run, temporary: TemporaryTables): Relations {
  const select = async (statement: string, signal: AbortSignal) => readTexts(await run(statement, signal));

  async function createTable(name: string, query: string, signal: AbortSignal): Promise<void> {
    const texts = await defineTexts(run, query, signal);
    const definitions = texts.length === 0 ? '' : `(${texts.join(', ')}) `;
    await runAround(run, [`CREATE TEMPORARY TABLE ${name} ${definitions}AS `, query], signal);
  }

  /** Checks a query and all views that it reads, directly or indirectly. */
  async function judge(query: string, signal: AbortSignal): Promise<boolean> {
    const seen = new Set<string>();
    for (let texts: readonly string[] = [query]; texts.length > 0; ) {
      if (!texts.every(isRepeatableText)) return false;
      const [[mode] = [], ...views] = await select(printViews(texts.flatMap(listReads)), signal);
      if (!mode!.includes(STRICT) && !(await areStrict(texts, signal))) return false;
      const fresh = views.filter(([, view]) => !seen.has(view!));
      for (const [, view] of fresh) seen.add(view!);
      // The definition of a view is empty for users without the right to see it.
      if (fresh.some(([definition]) => !definition)) return false;
      texts = fresh.map(([definition]) => definition!);
    }
    return true;
  }

  /** Whether all queries with groups select only aggregates and grouping columns. */
  async function areStrict(queries: readonly string[], signal: AbortSignal): Promise<boolean> {
    const strictly: Run = (statement, statementSignal) =>
      run(`SET STATEMENT sql_mode = CONCAT(@@sql_mode, ',${STRICT}') FOR ${statement}`, statementSignal);
    try {
      for (const query of queries.filter(isGrouped)) await describeQuery(strictly, query, signal);
      return true;
    } catch (error) {
      if (isSqlError(error)) return false;
      throw error;
    }
  }

  /** The known tables that still exist. */
  async function listThere(tables: readonly TableName[], signal: AbortSignal): Promise<readonly TableName[]> {
    const there: TableName[] = [];
    for (const table of tables) {
      if (await isTemporary(run, table, signal)) there.push(table);
      else temporary.drop(table);
    }
    return there;
  }

  return {
    isRepeatable: judge,
    nulls: null,
    createTable,
    createView: null,
    // Servers do not guarantee this: MariaDB runs a query once for each reference.
    runsOnce: 'none',
    insertsAtEnd: false,
    scratch: null,
    async listTemporary(signal) {
      const there = await listThere(temporary.all, signal);
      return there.map(({ name }) => ({ type: 'table', name }));
    },
    async dropTemporary(objects, signal) {
      const names = new Set(objects.map(({ name }) => name));
      for (const table of temporary.all.filter(({ name }) => names.has(name))) {
        await run(`DROP TEMPORARY TABLE IF EXISTS ${printTable(table)}`, signal);
        temporary.drop(table);
      }
    },
  };
}

async function isTemporary(run: Run, table: TableName, signal: AbortSignal): Promise<boolean> {
  try {
    const [row] = await readTexts(await run(`SHOW CREATE TABLE ${printTable(table)}`, signal));
    return /^CREATE TEMPORARY/.test(row?.[1] ?? '');
  } catch (error) {
    if (isSqlError(error)) return false;
    throw error;
  }
}

function isSqlError(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === 'sql';
}

function printTable({ schema, name }: TableName): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** The SQL mode of the session, followed by the definitions of the views among the names. */
function printViews(names: readonly ReadName[]): string {
  const views = names.map(({ schema, name }) => {
    const schemaSql = schema === null ? 'DATABASE()' : quoteText(schema);
    return `SELECT view_definition, CONCAT(table_schema, '.', table_name) FROM information_schema.views
      WHERE table_schema = ${schemaSql} AND table_name = ${quoteText(name)}`;
  });
  return ["SELECT @@sql_mode, ''", ...views].join(' UNION ALL ');
}

/**
 * Definitions for the columns of a query that must become text in a table of its rows, because their own type cannot
 * hold values (bare NULLs, empty strings). Rejects like `describeQuery`.
 */
async function defineTexts(run: Run, query: string, signal: AbortSignal): Promise<readonly string[]> {
  if (!mayHaveBareNull(query, mysqlRules) && !/''|""/.test(query)) return [];
  const columns = await describeQuery(run, query, signal);
  return columns.filter(({ type }) => isUntyped(type)).map(({ name }) => `${quoteName(name)} ${TEXT}`);
}

/** Functions that return the same result for the same arguments, and keywords that may precede a parenthesis. */
const STABLE = new Set([
  ...STABLE_AGGREGATES,
  ...`abs acos ascii asin atan atan2 ceil ceiling conv cos cot crc32 degrees exp floor ln log log10 log2 mod pi pow power
  radians round sign sin sqrt tan truncate greatest least isnull ifnull nvl nvl2 if div xor not binary regexp rlike
  bin bit_count bit_length char_length character_length chr concat concat_ws elt export_set field find_in_set format
  from_base64 to_base64 hex unhex insert instr lcase left length lengthb lower lpad ltrim make_set mid oct octet_length ord
  position quote regexp_instr regexp_replace regexp_substr repeat replace reverse right rpad rtrim soundex space strcmp
  substr substring substring_index trim ucase upper weight_string md5 sha sha1 sha2
  adddate addtime convert_tz curdate current_date current_time current_timestamp curtime date date_add date_format
  date_sub datediff day dayname dayofmonth dayofweek dayofyear from_days from_unixtime get_format hour last_day
  localtime localtimestamp makedate maketime microsecond minute month monthname now period_add period_diff quarter
  sec_to_time second str_to_date subdate subtime time time_format time_to_sec timediff timestamp timestampadd
  timestampdiff to_days to_seconds unix_timestamp utc_date utc_time utc_timestamp week weekday weekofyear year yearweek
  json_array json_compact json_contains json_contains_path json_depth json_detailed json_equals json_exists json_extract
  json_insert json_keys json_length json_loose json_merge json_merge_patch json_merge_preserve json_normalize
  json_object json_query json_quote json_remove json_replace json_search json_set json_type json_unquote json_valid
  json_value convert using signed unsigned datetime database schema user current_user version inet_aton inet_ntoa
  inet6_aton inet6_ntoa is_ipv4 is_ipv6 values straight_join separator index key force ignore use partition`
    .trim()
    .split(/\s+/),
]);

/** Words that do more than read rows which stay the same. */
const UNSTABLE = new Set(['next', 'previous', 'into', 'for', 'lock', 'procedure', 'rownum', 'sysdate', '@']);
const BEFORE_TABLES = new Set(['from', 'join', 'straight_join', ',', '(']);

/** A table or view that a query may read; null for the current schema. */
interface ReadName {
  readonly schema: string | null;
  readonly name: string;
}

/** Whether a query returns the same rows each time within one statement, if its views do. */
function isRepeatableText(query: string): boolean {
  const words = [...listWords(query)];
  if (words.some((word, i) => isUnstable(word, words, i))) return false;
  return isRepeatable(query, {
    lexicalRules: mysqlRules,
    stable: STABLE,
    volatileViews: new Set(),
    readsFiles: false,
  });
}

/** Whether a query may have groups: a server without strict mode takes any row of a group for other columns. */
function isGrouped(query: string): boolean {
  const groups = new Set(['group', ...STABLE_AGGREGATES]);
  return [...listWords(query)].some(({ text }) => groups.has(text.toLowerCase()));
}

function isUnstable({ kind, text }: Word, words: readonly Word[], at: number): boolean {
  if (kind === 'string') return false;
  // A user-defined function, even if a built-in function has the same name.
  if (words[at + 1]?.text === '(' && words[at - 1]?.text === '.') return true;
  if (kind === 'name') return text.includes('`');
  return UNSTABLE.has(text.charAt(0) === '@' ? '@' : text.toLowerCase());
}

/** The tables and views that a query may read. */
function listReads(query: string): readonly ReadName[] {
  const words = [...listWords(query)];
  const reads = words.flatMap(({ kind, text }, i): readonly ReadName[] => {
    const before = words[i - 1]?.text.toLowerCase() ?? '';
    if ((kind !== 'word' && kind !== 'name') || !BEFORE_TABLES.has(before)) return [];
    const next = words[i + 1]?.text;
    if (next === '.' && words[i + 2] !== undefined) return [{ schema: text, name: words[i + 2]!.text }];
    return next === '(' ? [] : [{ schema: null, name: text }];
  });
  return [...new Map(reads.map((name) => [`${name.schema ?? ''}\0${name.name}`, name])).values()];
}
