import path from 'node:path';
import type { DataFormat } from '../../engine/run/load-files.ts';
import { elementAt } from '../../invariants/must.ts';
import type { DataInput } from '../../workspace/api/data-input.ts';
import type { LoadOutcome, LoadRequest } from '../../workspace/api/workspace-api.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { findDataInputs, isDiskFolder } from '../options/data-inputs.ts';
import { readLoadSettings } from '../options/load-settings.ts';
import { isDescriptor, sourceName } from '../options/open-input.ts';
import { printWarnings } from '../print/print-warnings.ts';
import { reportOutcome } from '../print/report-outcome.ts';
import type { OptionsOf, RunCommand } from '../table/commands.ts';
import { printAligned } from '../terminal/print-aligned.ts';
import { showProgress } from '../terminal/progress.ts';

type Failed = Extract<LoadOutcome, { status: 'failed' }>;

const FORMATS: readonly DataFormat[] = ['csv', 'parquet', 'json'];

/** `quern load`: creates a table from data files and shows the detected types. */
export const run: RunCommand<'load'> = async (context, { args, options }) => {
  const { findDataFormat } = await import('../../engine/run/load-files.ts');
  const [settings, format] = [readLoadSettings(options), readType(options)];
  let read = 0;
  const onRead = (bytes: number) => {
    read += bytes;
  };
  const { inputs, skipped } = findDataInputs(context, args, { format, findFormat: findDataFormat, onRead });
  const table = options.table ?? tableName(context, elementAt(args, 0), elementAt(inputs, 0));
  checkTable(table);
  const request = {
    inputs,
    format,
    settings,
    table,
    replace: options.replace,
    connection: options.connection ?? 'duckdb',
  };
  const outcome = await load(context, request, () => read);
  if (outcome.status === 'failed') return reportOutcome(context, explainTaken(outcome));
  await printWarnings(context, [...printSkipped(skipped), ...outcome.warnings]);
  await printLoaded(context, table, outcome, options.json);
  return EXIT.done;
};

async function load(
  context: CliContext,
  request: LoadRequest,
  readBytes: () => number,
): Promise<LoadOutcome> {
  const progress = showProgress(context, () => {
    const read = readBytes();
    return `loading ${request.table}${read === 0 ? '' : `, ${read.toLocaleString('en')} bytes read`}`;
  });
  return withWorkspace(context, (workspace) => workspace.load(request, context.signal))
    .catch(explainError)
    .finally(() => progress.end());
}

/** The maximum of listed names; a folder may have thousands of files. */
const MAX_NAMES = 5;

function printSkipped(skipped: readonly string[]): readonly string[] {
  if (skipped.length === 0) return [];
  const names = `${skipped.slice(0, MAX_NAMES).join(', ')}${skipped.length > MAX_NAMES ? ', …' : ''}`;
  const [files, whose] =
    skipped.length === 1
      ? ['1 file was', 'its name does']
      : [`${skipped.length} files were`, 'their names do'];
  return [`${files} skipped, because ${whose} not match this type: ${names}`];
}

/** Adds advice if the table already exists; the database reports that as an ordinary error. */
function explainTaken(outcome: Failed): Failed {
  const { error } = outcome;
  if (!/^Catalog Error: Table with name .* already exists!/.test(error.message)) return outcome;
  const note = '--replace replaces it; --table sets another name';
  return { ...outcome, error: { ...error, note } };
}

function readType({ type }: OptionsOf<'load'>): DataFormat | undefined {
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

async function printLoaded(
  { stdout, notices }: CliContext,
  table: string,
  outcome: Extract<LoadOutcome, { status: 'done' }>,
  asJson: boolean,
): Promise<void> {
  const { rows, columns } = outcome;
  if (asJson) return stdout.write(`${JSON.stringify({ table, rows, columns })}\n`);
  await notices.write(`loaded ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} into ${table}\n`);
  await stdout.write(printAligned(columns.map(({ name, type }) => [name, type])));
}
