import { trinoRules } from '../../../text/lexical-rules.ts';
import { SQL_DIALECT } from '../../../text/sql-dialect.ts';
import { scanSql } from '../../../text/sql-scanner.ts';
import { DatabaseError, type Relations } from '../../contract/connection.ts';
import { isRepeatable, STABLE_AGGREGATES } from '../../contract/is-repeatable.ts';
import { type Run, readTexts, runAround } from '../../contract/run-inner.ts';
import { type SchemaName, ScratchSchema } from './scratch-schema.ts';
import { typeNullColumns } from './typed-query.ts';

const { quoteName, quoteText } = SQL_DIALECT.trino;

const NO_SCRATCH =
  'the rows of this block must be stored, because they are read more than once or the block has several statements, and Trino has no temporary tables: set the option `scratch_schema` of the connection to a `catalog.schema` in which tables can be created';

/** Where the names of a session belong, and where it stores rows; null where the connection does not say. */
interface SessionPlace {
  readonly catalog: string | null;
  readonly schema: string | null;
  readonly scratch: SchemaName | null;
}

/** What stored relations need of their session. */
interface RelationsOptions {
  readonly run: Run;
  /** Runs statements while a statement of the session runs. */
  readonly aside: Run;
  readonly state: SessionPlace;
}

/** Relations of a database without temporary tables. */
export interface TrinoRelations extends Relations {
  /** Drops what the session has stored; never rejects. */
  end(): Promise<void>;
}

/** SQL, and where its names without a catalog or a schema belong. */
interface PlacedText {
  readonly text: string;
  readonly catalog: string | null;
  readonly schema: string | null;
}

/**
 * Inserts queries into the statements that read them, and stores rows in the scratch schema of the connection only if
 * they have to be computed once.
 */
export function createRelations({ run, aside, state }: RelationsOptions): TrinoRelations {
  const scratch = state.scratch === null ? null : new ScratchSchema(aside, state.scratch);
  const storedNames = new Set<string>();
  const { isRepeatable } = createJudge(run, state);

  return {
    isRepeatable,
    nulls: null,
    async createTable(name, query, signal) {
      if (scratch === null) throw new DatabaseError('refused', NO_SCRATCH);
      const [before, after] = await typeNullColumns(run, query, signal);
      await scratch.hold(toRest(name), signal).catch((error: unknown) => {
        throw explainScratch(error, state.scratch);
      });
      await runAround(
        run,
        [`CREATE TABLE ${scratch.print(toRest(name))} AS ${before}`, query, after],
        signal,
      );
      storedNames.add(name);
    },
    createView: null,
    runsOnce: 'read once',
    insertsAtEnd: true,
    scratch: {
      refusal: scratch === null ? NO_SCRATCH : null,
      print: (name) => scratch?.print(toRest(name)) ?? name,
    },
    listTemporary: async () => [...storedNames].map((name) => ({ type: 'table', name })),
    async dropTemporary(objects, signal) {
      for (const { name } of objects) {
        if (!storedNames.has(name)) continue;
        await scratch?.drop(toRest(name), signal);
        storedNames.delete(name);
      }
    },
    end: async () => scratch?.end(),
  };
}

/** An error of the schema itself, not of the user's query. */
function explainScratch(error: unknown, scratch: SchemaName | null): unknown {
  if (!(error instanceof DatabaseError) || error.code !== 'sql' || scratch === null) return error;
  const message = `No rows can be stored in ${scratch.catalog}.${scratch.schema}, the scratch_schema of the connection: ${error.message}`;
  return new DatabaseError('sql', message, undefined, { cause: error });
}

/** Names begin with a word that the names of all owners begin with, too. */
function toRest(name: string): string {
  return `rows_${name.replace(/^quern_/, '')}`;
}

function createJudge(run: Run, state: SessionPlace): Pick<Relations, 'isRepeatable'> {
  /** The definitions of the views among the names that a text reads. */
  async function findViews(placedText: PlacedText, signal: AbortSignal): Promise<readonly PlacedText[]> {
    const places = listReads(placedText.text).flatMap((name) => locate(name, placedText));
    const catalogs = Map.groupBy(places, ({ catalog }) => catalog);
    const views: PlacedText[] = [];
    for (const [catalog, names] of catalogs) {
      const rows = await readTexts(await run(printViews(catalog, names), signal));
      for (const [schema, text] of rows) views.push({ catalog, schema: schema ?? null, text: text ?? '' });
    }
    return views;
  }

  return {
    /** Checks a query and all views that it reads, directly or indirectly. */
    async isRepeatable(query, signal) {
      const seen = new Set<string>();
      const { catalog, schema } = state;
      let texts: readonly PlacedText[] = [{ text: query, catalog, schema }];
      try {
        while (texts.length > 0) {
          if (!texts.every(({ text }) => isRepeatableText(text))) return false;
          const views = await collect(texts, (text) => findViews(text, signal));
          const fresh = views.filter((view) => !seen.has(JSON.stringify(view)));
          for (const view of fresh) seen.add(JSON.stringify(view));
          texts = fresh;
        }
        return true;
      } catch (error) {
        // The statement that reads the query fails, too: there is no such catalog, or the user may not see it.
        if (error instanceof DatabaseError && error.code === 'sql') return true;
        throw error;
      }
    },
  };
}

async function collect<T, U>(list: readonly T[], find: (item: T) => Promise<readonly U[]>): Promise<U[]> {
  const all: U[] = [];
  for (const item of list) all.push(...(await find(item)));
  return all;
}

interface Place {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

function locate(
  readName: ReadName,
  { catalog: ownCatalog, schema: ownSchema }: PlacedText,
): readonly Place[] {
  const [name = '', schema = ownSchema, catalog = ownCatalog] = readName.toReversed();
  return catalog === null || schema === null ? [] : [{ catalog, schema, name }];
}

function printViews(catalog: string, places: readonly Place[]): string {
  const schemas = new Set(places.map(({ schema }) => quoteText(schema)));
  const names = new Set(places.map(({ name }) => quoteText(name)));
  // Servers look for names in lists of values only; a view of the same name in another schema does not matter.
  return `SELECT table_schema, view_definition FROM ${quoteName(catalog)}.information_schema.views
    WHERE table_schema IN (${[...schemas].join(', ')}) AND table_name IN (${[...names].join(', ')})`;
}

/** Functions that return the same result for the same arguments, and words that may precede a parenthesis. */
const STABLE = new Set([
  ...STABLE_AGGREGATES,
  ...`abs acos asin atan atan2 cbrt ceil ceiling cos cosh degrees e exp floor from_base infinity is_finite is_infinite
  is_nan ln log log10 log2 mod nan pi pow power radians round sign sin sinh sqrt tan tanh to_base truncate width_bucket
  bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor bit_count greatest least nullif
  if try typeof format concat concat_ws length lower upper lpad ltrim rpad rtrim trim position replace reverse split
  split_part split_to_map starts_with strpos substr substring translate chr codepoint normalize levenshtein_distance
  hamming_distance luhn_check soundex regexp_count regexp_extract regexp_extract_all regexp_like regexp_position
  regexp_replace regexp_split to_utf8 from_utf8 to_hex from_hex to_base64 from_base64 to_base64url from_base64url md5
  sha1 sha256 sha512 crc32 xxhash64 murmur3 date date_add date_diff date_format date_parse date_trunc day day_of_month
  day_of_week day_of_year dow doy format_datetime from_iso8601_date from_iso8601_timestamp from_unixtime
  from_unixtime_nanos hour last_day_of_month millisecond minute month now parse_datetime parse_duration
  human_readable_seconds quarter second timezone_hour timezone_minute to_iso8601 to_milliseconds to_unixtime week
  week_of_year with_timezone at_timezone year year_of_week yow current_date current_time current_timestamp localtime
  localtimestamp timestamp time char double precision date interval varbinary any_match all_match none_match
  array_distinct array_except array_intersect array_join array_max array_min array_position array_remove array_sort
  array_union arrays_overlap cardinality combinations contains contains_sequence element_at flatten reduce repeat
  sequence slice transform trim_array zip zip_with map_concat map_entries map_filter map_from_entries
  map_keys map_values map_zip_with transform_keys transform_values row json_array json_array_contains
  json_array_length json_exists json_extract json_extract_scalar json_format json_object json_parse json_query json_size
  json_value is_json_scalar url_decode url_encode url_extract_fragment url_extract_host url_extract_parameter
  url_extract_path url_extract_port url_extract_protocol url_extract_query table values escape`
    .trim()
    .split(/\s+/),
]);

/** Words with which rows, or their order, can change between executions. */
const UNSTABLE: ReadonlySet<string> = new Set(['match_recognize', 'prepare', 'execute', 'call']);
const BEFORE_TABLES: ReadonlySet<string> = new Set(['from', 'join', ',', '(', 'table']);

/** The parts of the name of a table or view that a query may read: catalog, schema and name, or the last of these. */
type ReadName = readonly string[];

interface Word {
  readonly kind: string;
  /** In lower case, as names are compared; a quoted name without its quotes. */
  readonly text: string;
}

/** Whether a query returns the same rows each time within one statement, if its views do. */
function isRepeatableText(query: string): boolean {
  const words = listWords(query);
  if (words.some((word, i) => isUnstable(word, words, i))) return false;
  return isRepeatable(query, {
    lexicalRules: trinoRules,
    stable: STABLE,
    volatileViews: new Set(),
    readsFiles: false,
  });
}

function isUnstable({ kind, text }: Word, words: readonly Word[], at: number): boolean {
  // A function of a catalog, even if a built-in function has the same name, or a function that the query declares.
  if (words[at + 1]?.text === '(' && words[at - 1]?.text === '.') return true;
  if (kind !== 'word') return false;
  return UNSTABLE.has(text) || (text === 'function' && words[at - 1]?.text === 'with');
}

/** The tables and views that a query may read. */
function listReads(query: string): readonly ReadName[] {
  const words = listWords(query);
  const isName = (at: number) => words[at]?.kind === 'word' || words[at]?.kind === 'quoted-name';
  const reads: ReadName[] = [];
  for (const [at] of words.entries()) {
    if (!isName(at) || !BEFORE_TABLES.has(words[at - 1]?.text ?? '')) continue;
    const parts: string[] = [words[at]?.text ?? ''];
    for (let next = at + 1; words[next]?.text === '.' && isName(next + 1); next += 2) {
      parts.push(words[next + 1]?.text ?? '');
    }
    if (parts.length <= 3 && words[at + parts.length * 2 - 1]?.text !== '(') reads.push(parts);
  }
  return [...new Map(reads.map((name) => [name.join('\0'), name])).values()];
}

function listWords(query: string): readonly Word[] {
  const words: Word[] = [];
  for (const { kind, start, end } of scanSql(query, trinoRules)) {
    if (kind === 'space' || kind === 'comment') continue;
    const text = query.slice(start, end).toLowerCase();
    words.push({ kind, text: kind === 'quoted-name' ? text.slice(1, -1).replaceAll('""', '"') : text });
  }
  return words;
}
