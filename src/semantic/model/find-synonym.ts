import { suggest } from '../../text/suggest.ts';

/**
 * The keys and words of a model. Each has the names that databases and other tools use, in lower case without
 * punctuation.
 */
const SYNONYMS: readonly (readonly [meant: string, words: string])[] = [
  // Types of values.
  ['TEXT', 'string str varchar varchar2 char character nchar nvarchar bpchar clob uuid guid enum json'],
  ['INTEGER', 'int int2 int4 int8 int16 int32 int64 bigint smallint tinyint mediumint hugeint long serial'],
  ['FLOAT', 'double doubleprecision real float4 float8 float32 float64'],
  ['DECIMAL', 'numeric bignumeric money smallmoney currency'],
  ['DATETIME', 'timestamp timestamptz timestampntz timestampltz datetime2 datetime64 datetimeoffset'],
  ['BOOLEAN', 'bool bit flag logical yesno'],
  // Aggregates.
  ['SUM', 'total add'],
  ['COUNT', 'rows rowcount countrows cnt'],
  ['COUNT_DISTINCT', 'distinct distinctcount unique uniquecount countunique nunique uniq countd'],
  ['AVG', 'average mean arithmeticmean'],
  ['MIN', 'minimum least lowest earliest'],
  ['MAX', 'maximum greatest highest latest'],
  ['MEDIAN', 'p50 percentile50 quantile50'],
  ['CUSTOM', 'number expression expr sql derived ratio calculated formula percentile stddev variance'],
  // Relationships.
  ['MANY_TO_ONE', 'belongsto manyone nto1 n1 mto1 m1 m2o'],
  ['ONE_TO_MANY', 'hasmany onemany 1ton 1n 1tom 1m o2m'],
  ['ONE_TO_ONE', 'hasone oneone 1to1 11 o2o'],
  // Grains.
  ['day', 'daily days date'],
  ['week', 'weekly weeks isoweek'],
  ['month', 'monthly months'],
  ['quarter', 'quarterly quarters'],
  ['year', 'yearly years annual'],
  // Platforms.
  ['postgresql', 'postgres pg psql'],
  ['mysql', 'mariadb'],
  ['sqlserver', 'mssql tsql azuresql synapse'],
  ['databricks', 'spark sparksql'],
  ['trino', 'presto athena starburst'],
  ['bigquery', 'googlesql bq'],
  // Keys.
  ['aggregation_type', 'type agg aggregation aggregate'],
  ['data_type', 'type datatype'],
  ['join_type', 'type cardinality relationship join'],
  ['to_entity', 'to target entity'],
  ['expr', 'sql expression on condition sqlon column formula'],
  ['query', 'sql select sqlquery'],
  ['table_name', 'table sqltable sqltablename source relation model'],
  ['x_filter', 'filter where condition'],
  ['x_primary_key', 'primarykey key pk'],
  ['x_grains', 'grain grains granularity granularities'],
  ['x_synonyms', 'synonyms aliases'],
  ['x_timezone', 'timezone tz'],
  ['x_case_sensitive', 'casesensitive'],
  ['label', 'title displayname caption'],
  ['description', 'comment doc docs'],
  ['measures', 'metrics facts'],
  ['dimensions', 'columns fields attributes'],
  ['relationships', 'joins links'],
  ['entities', 'tables cubes views models datasets'],
  ['platform', 'dialect database db warehouse'],
];

const MEANINGS = new Map<string, string[]>();
for (const [meant, words] of SYNONYMS) {
  for (const word of words.split(' ')) MEANINGS.set(word, [...(MEANINGS.get(word) ?? []), meant]);
}

/** Finds the known word that was meant: equal except for punctuation, a synonym, or a similar word. */
export function findSynonym(word: string, known: readonly string[]): string | undefined {
  const plain = toPlain(word);
  return (
    known.find((one) => toPlain(one) === plain) ??
    MEANINGS.get(plain)?.find((one) => known.includes(one)) ??
    suggest(word, known)
  );
}

const MANY_TO_MANY: ReadonlySet<string> = new Set([
  'manytomany',
  'manymany',
  'nton',
  'ntom',
  'mton',
  'nm',
  'mn',
  'm2m',
]);

/** Whether a word means many-to-many, which relationships do not support. */
export function isManyToMany(word: string, known: readonly string[]): boolean {
  return known.includes('MANY_TO_ONE') && MANY_TO_MANY.has(toPlain(word));
}

function toPlain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '');
}
