import path from 'node:path';
import { elementAt } from '../../invariants/must.ts';
import type { DataInput, InputFormat } from '../../workspace/api/data-input.ts';
import type { LoadedTable, LoadOutcome, LoadRequest } from '../../workspace/api/workspace-api.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { findDataInputs, isDiskFolder } from '../options/data-inputs.ts';
import { contradict, readLoadSettings } from '../options/load-settings.ts';
import { isDescriptor, sourceName } from '../options/open-input.ts';
import { printWarnings } from '../print/print-warnings.ts';
import { reportOutcome } from '../print/report-outcome.ts';
import type { OptionsOf, RunCommand } from '../table/commands.ts';
import { printAligned } from '../terminal/print-aligned.ts';
import { showProgress } from '../terminal/progress.ts';

const FORMATS: readonly InputFormat[] = ['csv', 'parquet', 'json', 'xlsx'];

/** `quern load`: creates tables from data files, or adds rows to one, and shows the detected types. */
export const run: RunCommand<'load'> = async (context, { args, options }) => {
  const { findInputFormat } = await import('../../workspace/spreadsheets/input-format.ts');
  const [settings, format, mode] = [readLoadSettings(options), readType(options), readMode(options)];
  let read = 0;
  const onRead = (bytes: number) => {
    read += bytes;
  };
  const { inputs, skipped, repeated } = findDataInputs(context, args, {
    format,
    findFormat: findInputFormat,
    onRead,
  });
  const tables = options.each
    ? nameEach(context, inputs, options)
    : [{ table: nameOne(context, { args, inputs, options }), inputs }];
  const request = {
    tables,
    format,
    settings,
    mode,
    isDryRun: options.dryRun,
    isEach: options.each,
    connection: options.connection ?? 'duckdb',
  };
  const outcome = await load(context, request, () => read);
  if (outcome.status === 'failed') return reportOutcome(context, outcome);
  const warnings = outcome.tables.flatMap((table) => table.warnings);
  await printWarnings(context, [...printSkipped(skipped), ...printRepeated(repeated), ...warnings]);
  await printTables(context, outcome.tables, options);
  return EXIT.done;
};

/** The options that need one table. */
const OF_ONE = ['table', 'append', 'unionByName'] as const;

function readMode(options: OptionsOf<'load'>): LoadRequest['mode'] {
  if (options.append && options.replace) contradict('--append', '--replace');
  if (options.append && options.types.length > 0) contradict('--append', '--types');
  if (options.append && options.allText) contradict('--append', '--all-text');
  const one = OF_ONE.find((name) => options[name]);
  if (options.each && one !== undefined) {
    contradict('--each', one === 'unionByName' ? '--union-by-name' : `--${one}`);
  }
  if (options.schema !== undefined && options.table?.includes('.')) contradict('--schema', '--table');
  if (options.append) return 'append';
  return options.replace ? 'replace' : 'create';
}

function nameOne(
  context: CliContext,
  {
    args,
    inputs,
    options,
  }: {
    readonly args: readonly string[];
    readonly inputs: readonly DataInput[];
    readonly options: OptionsOf<'load'>;
  },
): string {
  const name = options.table ?? tableName(context, elementAt(args, 0), elementAt(inputs, 0));
  return qualify(name, options);
}

/** One table for each file. Throws a UsageError for files of one name. */
function nameEach(
  context: CliContext,
  inputs: readonly DataInput[],
  options: OptionsOf<'load'>,
): LoadRequest['tables'] {
  const tables = inputs.map((input) => ({
    table: qualify(tableName(context, input.name, input), options),
    inputs: [input],
  }));
  const groups = Map.groupBy(tables, ({ table }) => table.toLowerCase());
  for (const [first, second] of groups.values()) {
    if (first === undefined || second === undefined) continue;
    const files = [first, second].map((one) => elementAt(one.inputs, 0).name).join(' and ');
    throw new UsageError(
      `--each: ${files} have the same table ${first.table}; load one of them with --table`,
    );
  }
  return tables;
}

function qualify(name: string, { schema }: OptionsOf<'load'>): string {
  const table = schema === undefined ? name : `${schema}.${name}`;
  checkTable(table);
  return table;
}

async function load(
  context: CliContext,
  request: LoadRequest,
  readBytes: () => number,
): Promise<LoadOutcome> {
  const names = request.tables.map(({ table }) => table);
  const what = names.length === 1 ? names[0] : `${names.length} tables`;
  const progress = showProgress(context, () => {
    const read = readBytes();
    return `loading ${what}${read === 0 ? '' : `, ${read.toLocaleString('en')} bytes read`}`;
  });
  return withWorkspace(context, (workspace) => workspace.load(request, context.signal))
    .catch(explainError)
    .finally(() => progress.end());
}

/** The maximum of listed names; a folder may have thousands of files. */
const MAX_NAMES = 5;

function printNames(names: readonly string[]): string {
  return `${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ', …' : ''}`;
}

function printRepeated(repeated: readonly string[]): readonly string[] {
  if (repeated.length === 0) return [];
  return [`${printNames(repeated)} given more than once, and loaded once`];
}

function printSkipped(skipped: readonly string[]): readonly string[] {
  if (skipped.length === 0) return [];
  const names = printNames(skipped);
  const [files, whose] =
    skipped.length === 1
      ? ['1 file was', 'its name does']
      : [`${skipped.length} files were`, 'their names do'];
  return [`${files} skipped, because ${whose} not match this type: ${names}`];
}

function readType({ type }: OptionsOf<'load'>): InputFormat | undefined {
  if (type === undefined) return undefined;
  const format = FORMATS.find((name) => name === type);
  if (!format) throw new UsageError(`unknown type \`${type}\`: use ${FORMATS.join(', ')}`);
  return format;
}

/** `2024 flights.csv.gz` becomes `_2024_flights`. */
function tableName(context: CliContext, input: string, { name }: DataInput): string {
  const folder = isDiskFolder(context, input) ? path.resolve(context.cwd, input) : name;
  const file = isDescriptor(input) ? input : folder;
  if (isDescriptor(file) && file !== '/dev/stdin') {
    throw new UsageError(`${sourceName(file)} has no name for the table: set one with --table`);
  }
  const stem = path.basename(file).replace(/\..*$/, '');
  return stem.replace(/[^\p{L}\p{N}_]+/gu, '_').replace(/^(?=\p{N})/u, '_') || '_';
}

function checkTable(table: string): void {
  const parts = table.split('.');
  if (parts.length > 2 || parts.includes('')) {
    throw new UsageError(`--table ${table}: expected \`name\` or \`schema.name\``);
  }
}

async function printTables(
  context: CliContext,
  tables: readonly LoadedTable[],
  { json, each, dryRun, append }: OptionsOf<'load'>,
): Promise<void> {
  if (json) {
    const shown = tables.map(({ table, rows, columns, warnings, head }) =>
      dryRun ? { table, rows, columns, warnings, head } : { table, rows, columns },
    );
    return context.stdout.write(`${JSON.stringify(each ? { tables: shown } : shown[0])}\n`);
  }
  for (const table of tables) {
    await context.notices.write(`${describeLoaded(table, { dryRun, append })}\n`);
    await context.stdout.write(printColumns(table));
  }
}

function describeLoaded(
  { table, rows }: LoadedTable,
  { dryRun, append }: Pick<OptionsOf<'load'>, 'dryRun' | 'append'>,
): string {
  const count = `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
  if (append) return `${dryRun ? 'would add' : 'added'} ${count} to ${table}`;
  return `${dryRun ? 'would load' : 'loaded'} ${count} into ${table}`;
}

/** The types, and the first rows of a table that was not written. */
function printColumns({ columns, head = [] }: LoadedTable): string {
  const types = printAligned(columns.map(({ name, type }) => [name, type]));
  if (head.length === 0) return types;
  const names = columns.map(({ name }) => name);
  return `${types}\n${printAligned([names, ...head.map((row) => row.map((value) => value ?? 'NULL'))])}`;
}
