import { UsageError } from '../context/errors.ts';

const SHEET = 'save the sheet as csv first (in a spreadsheet: Save as, CSV UTF-8)';
const UNPACK = 'unpack it first';
const CONVERT = 'convert it to csv, parquet or json first';
const decompress = (tool: string) => `decompress it first: ${tool} -dc FILE | quern load - --table NAME`;

/** Advice for files that cannot be loaded, by the ending of their names. */
const ADVICE: Readonly<Record<string, string>> = {
  xlsx: SHEET,
  xlsm: SHEET,
  xls: SHEET,
  ods: SHEET,
  numbers: SHEET,
  zip: UNPACK,
  '7z': UNPACK,
  rar: UNPACK,
  tar: UNPACK,
  tgz: UNPACK,
  bz2: decompress('bzip2'),
  xz: decompress('xz'),
  db: 'export its tables as csv first',
  sqlite: 'export its tables as csv first',
  sqlite3: 'export its tables as csv first',
  duckdb: 'add it as a connection with `quern connection create`',
  sql: 'run it with `quern sql --file FILE`',
  avro: CONVERT,
  orc: CONVERT,
  arrow: CONVERT,
  feather: CONVERT,
  xml: CONVERT,
  pdf: CONVERT,
};

const FETCH: Readonly<Record<string, (url: string) => string>> = {
  http: (url) => `download it first: curl -fsSL '${url}' | quern load - --table NAME`,
  https: (url) => `download it first: curl -fsSL '${url}' | quern load - --table NAME`,
  ftp: (url) => `download it first: curl -fsSL '${url}' | quern load - --table NAME`,
  s3: (url) => `copy it first: aws s3 cp '${url}' - | quern load - --table NAME`,
  gs: (url) => `copy it first: gcloud storage cat '${url}' | quern load - --table NAME`,
  file: () => 'use the plain path',
};

/** Throws a UsageError for a URL. */
export function checkAddress(name: string): void {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(name)?.[1]?.toLowerCase();
  if (scheme === undefined) return;
  const fetch = FETCH[scheme] ?? (() => 'copy it to this machine first');
  throw new UsageError(`cannot load ${name}: only files and pipes are loaded; ${fetch(name)}`);
}

/** Throws a UsageError for a file whose name has a format that cannot be loaded. */
export function checkEnding(name: string): void {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const advice = ADVICE[ending];
  if (advice !== undefined)
    throw new UsageError(`cannot load ${name}: a .${ending} file is not csv, parquet or json; ${advice}`);
}
