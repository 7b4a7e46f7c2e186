import { quoteArgument } from '../../errors/quote-argument.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { InputFormat } from '../api/data-input.ts';

/** Errors of data that cannot be loaded: 400 for invalid arguments, 422 for invalid data. */
export const loadErrors = {
  mixedTypes: () =>
    new ServiceError(
      400,
      'file_types_mixed',
      'the files are of different types: load them one type at a time',
    ),
  unknownType: (name: string) =>
    new ServiceError(
      400,
      'file_type_unknown',
      `cannot derive the type of ${name} from its name: set it with --type`,
    ),
  otherType: (name: string, format: InputFormat) =>
    new ServiceError(400, 'file_type_other', `${name} is ${format} by its first bytes: use --type ${format}`),
  notParquet: (name: string) =>
    new ServiceError(
      400,
      'file_not_parquet',
      `${name} is not a parquet file by its first bytes: use --type csv or json`,
    ),
  packedParquet: (name: string) =>
    new ServiceError(
      400,
      'file_parquet_compressed',
      `${name} is a compressed parquet file: decompress it first`,
    ),
  mixedCompression: (name: string) =>
    new ServiceError(
      400,
      'file_compression_mixed',
      `the compression of ${name} does not match its name: rename it, or load it alone`,
    ),
  foreign: (name: string, what: string, advice: string) =>
    new ServiceError(400, 'file_type_not_supported', `${name} is ${what}: ${advice}`),
  emptyParquet: (name: string) =>
    new ServiceError(422, 'file_not_parquet', `${name} is empty, so it is not a parquet file`),
  otherEncoding: (name: string, encoding: string) =>
    new ServiceError(
      422,
      'file_encoding_other',
      `${name} is not valid ${encoding}, and nothing was loaded: set its encoding with --encoding`,
    ),
  settingOfOther: (flag: string, format: InputFormat) =>
    new ServiceError(400, 'file_option_not_supported', `--${flag} has no effect on ${format}: omit it`),
  otherColumns: (
    name: string,
    first: string,
    {
      missing,
      extra,
      others,
    }: Readonly<Record<'missing' | 'extra' | 'others', readonly { readonly name: string }[]>>,
    advice: string,
  ) => {
    const list = (columns: readonly { readonly name: string }[], what: string) =>
      columns.length === 0 ? [] : [`${columns.map((column) => `\`${column.name}\``).join(', ')} ${what}`];
    const differences = [
      ...list(missing, 'missing'),
      ...list(extra, 'added'),
      ...list(others, 'of another type'),
    ].join('; ');
    return new ServiceError(
      422,
      'file_columns_other',
      `${name} and ${first} have different columns (${differences}). Nothing was loaded; ${advice}`,
    );
  },
  allEmpty: (names: readonly string[], table: string) =>
    new ServiceError(422, 'files_empty', `${names.join(', ')}: no data to load, and ${table} did not change`),
  unknownColumn: (name: string, near: string | undefined) =>
    new ServiceError(
      400,
      'column_not_found',
      `--types: there is no column \`${name}\`${near === undefined ? '' : `, did you mean \`${near}\`?`}`,
    ),
  unknownColumnType: (type: string) =>
    new ServiceError(400, 'column_type_unknown', `--types: there is no type \`${type}\``),
  unusedFormat: (flag: string, format: string, type: string) =>
    new ServiceError(
      400,
      'file_format_unused',
      `--${flag} ${quoteArgument(format)}: no column has this format in every value; omit it, or name the column with --types COLUMN=${type}`,
    ),
  noTable: (table: string) =>
    new ServiceError(
      404,
      'table_not_found',
      `--append: there is no table ${table}; omit --append to create it`,
    ),
  notTable: (table: string) =>
    new ServiceError(
      400,
      'table_is_view',
      `--append: ${table} is a view; set the name of a table with --table`,
    ),
  notReplaceable: (table: string) =>
    new ServiceError(
      400,
      'table_is_view',
      `--replace: ${table} is a view; set the name of a table with --table`,
    ),
  otherCount: (expected: number, found: number) =>
    new ServiceError(
      422,
      'rows_other',
      `the database has stored ${found} of ${expected} rows, and nothing was loaded: load it again`,
    ),
  columnTypeNotLoaded: (table: string, column: string, type: string) =>
    new ServiceError(
      400,
      'column_type_not_loaded',
      `--append: ${table} has the column \`${column}\` of type ${type}, which is not loaded; use another table, and INSERT`,
    ),
  skippedAll: (name: string, lines: number, skip: number) =>
    new ServiceError(
      422,
      'file_too_short',
      `--skip ${skip}: ${name} has only ${lines} ${lines === 1 ? 'line' : 'lines'}; use a smaller number`,
    ),
  damaged: (name: string, reason: string) =>
    new ServiceError(
      422,
      'file_damaged',
      `${name} is damaged or incomplete, and nothing was loaded: ${reason}`,
    ),
  unreadable: (name: string, reason: string) =>
    new ServiceError(422, 'file_not_readable', `cannot read ${name}: ${reason}`),
  noRoom: (name: string, folder: string, bytes: number) =>
    new ServiceError(
      422,
      'disk_full',
      `no space is left in ${folder} for ${name}: ${bytes.toLocaleString('en')} bytes were read, and nothing was loaded`,
    ),
  notStageable: (file: string, cause: Error) =>
    new ServiceError(
      422,
      'file_not_readable',
      `${file} cannot be passed to the server of this home: ${cause.message}`,
      { cause },
    ),
};
