import { globSync } from 'node:fs';
import path from 'node:path';
import type { DataFormat, LoadOutcome } from '../../workspace/workspace-api.ts';
import type { CommandInput, RunCommand } from '../command.ts';
import type { CliContext } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { reportOutcome } from '../report-outcome.ts';
import { printColumns } from '../terminal/print-columns.ts';
import { showProgress } from '../terminal/progress.ts';
import { UsageError } from '../usage-error.ts';
import { withWorkspace } from '../with-workspace.ts';

type Failed = Extract<LoadOutcome, { status: 'failed' }>;

const FORMATS: readonly DataFormat[] = ['csv', 'parquet', 'json'];

/** `quern load`: makes a table of data files and shows the types that were found. */
export const run: RunCommand = async (context, { args, options }) => {
  const { findDataFormat } = await import('../../workspace/load-table.ts');
  const files = args.flatMap((pattern) => expand(context, pattern));
  const format = readType(options) ?? sameFormat(files, findDataFormat);
  const table = typeof options.table === 'string' ? options.table : tableName(files[0]!);
  checkTable(table);
  const connection = typeof options.connection === 'string' ? options.connection : 'duckdb';
  const request = { files, format, table, replace: options.replace === true, connection };
  const progress = showProgress(context, () => `loading ${table}`);
  const outcome = await withWorkspace(context, (workspace) =>
    workspace.load(request, context.signal),
  ).finally(() => progress.end());
  if (outcome.status === 'failed') return reportOutcome(context, explainTaken(outcome));
  await printLoaded(context, table, outcome, options.json === true);
  return EXIT.done;
};

/** Says what helps where the table is there already, which the database knows as an error like any other. */
function explainTaken(outcome: Failed): Failed {
  const { fault } = outcome;
  if (!/^Catalog Error: Table with name .* already exists!/.test(fault.message)) return outcome;
  const note = '--replace puts the new one in its place; --table gives it another name';
  return { ...outcome, fault: { ...fault, note } };
}

function expand({ cwd }: CliContext, pattern: string): string[] {
  const file = path.resolve(cwd, pattern);
  const found = globSync(pattern, { cwd }).map((name) => path.resolve(cwd, name));
  const isLiteral = globSync(escapeGlob(pattern), { cwd }).length > 0;
  if (isLiteral) return [file];
  if (found.length === 0) throw new UsageError(`no file is called ${pattern}`);
  return found.sort();
}

function escapeGlob(pattern: string): string {
  return pattern.replace(/[*?[\]{}()!]/g, '[$&]');
}

function readType({ type }: CommandInput['options']): DataFormat | undefined {
  if (type === undefined) return undefined;
  const found = FORMATS.find((format) => format === type);
  if (!found) throw new UsageError(`unknown type \`${type}\`: use ${FORMATS.join(', ')}`);
  return found;
}

function sameFormat(
  files: readonly string[],
  findFormat: (file: string) => DataFormat | undefined,
): DataFormat {
  const formats = new Set(files.map((file) => findFormat(file)));
  const [format] = formats;
  if (formats.size > 1)
    throw new UsageError('the files are of different types: load them one type at a time');
  if (format === undefined) {
    throw new UsageError(
      `cannot tell the type of ${path.basename(files[0]!)} by its name: say it with --type`,
    );
  }
  return format;
}

/** `2024 flights.csv.gz` becomes `_2024_flights`. */
function tableName(file: string): string {
  const stem = path.basename(file).replace(/\..*$/, '');
  return stem.replace(/[^\p{L}\p{N}_]+/gu, '_').replace(/^(?=\p{N})/u, '_') || '_';
}

function checkTable(table: string): void {
  const parts = table.split('.');
  if (parts.length > 2 || parts.includes('')) {
    throw new UsageError(`--table ${table}: write it as name or schema.name`);
  }
}

async function printLoaded(
  { stdout, stderr }: CliContext,
  table: string,
  outcome: Extract<LoadOutcome, { status: 'done' }>,
  asJson: boolean,
): Promise<void> {
  const { rows, columns } = outcome;
  if (asJson) return stdout.write(`${JSON.stringify({ table, rows, columns })}\n`);
  await stderr.write(`loaded ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} into ${table}\n`);
  await stdout.write(printColumns(columns.map(({ name, type }) => [name, type])));
}
