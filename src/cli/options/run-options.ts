import type { FormatName } from '../../engine/result/formats.ts';
import { type JsonValue, readTyped } from '../../engine/script/params/json-value.ts';
import type { Params } from '../../engine/script/params/params.ts';
import type { GivenParams } from '../../engine/script/params/surplus-params.ts';
import { isRecord } from '../../invariants/narrow.ts';
import { NumberTooLongError, parseExactJson } from '../../text/decimal.ts';
import type { ScriptSettings } from '../../workspace/api/scripts-api.ts';
import type { RunSettings } from '../../workspace/api/workspace-api.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import type { OptionsOf } from '../table/commands.ts';
import type { AnswerOptions, RunOptions, ScriptOptions } from '../table/shared-options.ts';
import { readText } from './read-text.ts';

/** The schema of `--store-failures`; undefined without the option. Throws a UsageError. */
export function readStore({
  storeFailures,
}: {
  readonly storeFailures: string | boolean;
}): string | undefined {
  if (storeFailures === '') throw new UsageError('--store-failures: expected a schema');
  if (typeof storeFailures === 'string') return storeFailures;
  return storeFailures ? 'quern_failures' : undefined;
}

type ParamOptions = Pick<ScriptOptions, 'param' | 'paramsFile'>;

/** SQL and blocks have no environment. */
type PlaceOptions = ParamOptions &
  Pick<RunOptions, 'connection' | 'override'> &
  Partial<Pick<OptionsOf<'exec'>, 'env'>>;

export const RESULT_FORMATS: readonly FormatName[] = [
  'table',
  'json',
  'ndjson',
  'csv',
  'tsv',
  'markdown',
  'arrow',
  'parquet',
  'xlsx',
];
/** Formats that a terminal cannot show. */
const BINARY: readonly FormatName[] = ['arrow', 'parquet', 'xlsx'];
const FORMAT_OF_ENDING: Readonly<Record<string, FormatName>> = {
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.md': 'markdown',
  '.arrow': 'arrow',
  '.arrows': 'arrow',
  '.parquet': 'parquet',
  '.xlsx': 'xlsx',
};

/** The options that choose a format; a session has only some of them. */
export type FormatOptions = Pick<AnswerOptions, 'format' | 'output' | 'expanded'> &
  Partial<Pick<AnswerOptions, 'json'>>;

/** The format of `--format` or `--json`; undefined without them. Throws a UsageError for two formats. */
export function readNamedFormat({
  format,
  json,
}: Pick<FormatOptions, 'format' | 'json'>): string | undefined {
  if (json !== true || format === 'json') return format;
  if (format !== undefined) throw new UsageError(`use either --json or --format ${format}`);
  return 'json';
}

/** The format of a result: as requested, by the ending of the output file, or by the kind of standard output. */
export function readFormat(context: CliContext, options: FormatOptions): FormatName {
  const { output, expanded } = options;
  const format = readNamedFormat(options);
  if (expanded) return readExpandedFormat({ format, output });
  if (format !== undefined) {
    const name = RESULT_FORMATS.find((candidate) => candidate === format);
    if (!name) throw new UsageError(`unknown format \`${format}\`; use ${RESULT_FORMATS.join(', ')}`);
    if (BINARY.includes(name) && output === undefined && context.stdout.isTerminal) {
      throw new UsageError(`${name} is binary: use --output FILE`);
    }
    return name;
  }
  if (output !== undefined) return readEnding(output);
  return context.stdout.isTerminal ? 'table' : 'csv';
}

/** The format of `--expanded`, which is a table. Throws a UsageError for an option or a file of another format. */
function readExpandedFormat({ format, output }: Pick<AnswerOptions, 'format' | 'output'>): 'table' {
  const chosen = format ?? (output === undefined ? 'table' : readEnding(output));
  if (chosen === 'table') return 'table';
  const source = format === undefined ? `--output ${output}` : `--format ${format}`;
  throw new UsageError(`--expanded and ${source} contradict each other`);
}

/** The format of a file by its ending; CSV for a name without an ending, such as a device or a pipe. */
function readEnding(file: string): FormatName {
  const ending = /\.[^./\\]+$/.exec(file)?.[0];
  if (ending === undefined) return 'csv';
  const format = FORMAT_OF_ENDING[ending.toLowerCase()];
  if (format !== undefined) return format;
  throw new UsageError(
    `--output ${file}: no format has the ending \`${ending}\`; use ` +
      `${Object.keys(FORMAT_OF_ENDING).join(', ')}, or set --format`,
  );
}

/** A week, in seconds; also the limit of connections. */
export const MAX_TIMEOUT = 604_800;

/** The timeout of a run, in milliseconds. Throws a UsageError. */
export function readTimeout({ timeout }: Pick<AnswerOptions, 'timeout'>): number | undefined {
  if (timeout === undefined) return undefined;
  if (timeout > MAX_TIMEOUT) {
    throw new UsageError(`--timeout ${timeout}: at most ${MAX_TIMEOUT} seconds (a week)`);
  }
  return timeout * 1_000;
}

/** How JSON encodes numbers that a double cannot represent exactly. */
export function readNumbers(value: string | undefined): 'number' | 'string' {
  if (value === undefined || value === 'number' || value === 'string') return value ?? 'number';
  throw new UsageError(`--numbers ${value}: use number or string`);
}

/** Parameters, connection and environment of a run. */
export async function readRunOptions(context: CliContext, options: PlaceOptions): Promise<RunSettings> {
  return {
    ...(await readParams(context, options)),
    connection: options.connection,
    environment: options.env,
    overrides: readPairs('--override', options.override),
  };
}

/** Parameters and environment of scripts that are not run. */
export async function readScriptSettings(
  context: CliContext,
  options: ScriptOptions,
): Promise<ScriptSettings> {
  return { ...(await readParams(context, options)), environment: options.env };
}

/** The parameters of `--params-file`, overwritten by those of `--param`. */
async function readParams(context: CliContext, options: ParamOptions): Promise<GivenParams> {
  const { paramsFile } = options;
  const fromFile = paramsFile === undefined ? {} : await readParamsFile(context, paramsFile);
  const typed = readPairs('--param', options.param);
  for (const name of Object.keys(typed)) checkName(`--param ${name}`, name);
  const values = Object.entries(typed).map(([name, text]) => [name, readTyped(text)] as const);
  return { params: { ...fromFile, ...Object.fromEntries(values) }, typed: Object.keys(typed) };
}

/** The arguments of `--arg`, whose values are JSON. */
export function readArguments(pairs: readonly string[]): Record<string, JsonValue> {
  const texts = readPairs('--arg', pairs);
  const read = (key: string, text: string): JsonValue => {
    try {
      return parseExactJson(text);
    } catch (error) {
      if (error instanceof NumberTooLongError) throw new UsageError(`--arg ${key}: ${error.message}`);
      throw new UsageError(`--arg ${key}: \`${text}\` is not JSON; a string needs quotes: '${key}="north"'`);
    }
  };
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, read(key, text)]));
}

/** `key=value` pairs of a repeatable option; each key may appear once. */
export function readPairs(flag: string, pairs: readonly string[]): Record<string, string> {
  const values = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`${flag} ${pair}: expected \`name=value\``);
    const key = pair.slice(0, at).replace(/^\$\$?/, '');
    if (values.has(key)) throw new UsageError(`${flag} ${key} is given twice`);
    values.set(key, pair.slice(at + 1));
  }
  return Object.fromEntries(values);
}

/** Reads a JSON file whose numbers keep their digits. Throws a UsageError. */
export async function readExactJson(context: CliContext, name: string): Promise<JsonValue> {
  const text = await readText(context, name);
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof NumberTooLongError) throw new UsageError(`${name}: ${error.message}`);
    throw new UsageError(`${name} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

async function readParamsFile(context: CliContext, name: string): Promise<Params> {
  const value = await readExactJson(context, name);
  if (!isRecord(value)) {
    throw new UsageError(`${name} must contain one JSON object, {"name": value, …}`);
  }
  return normalizeKeys(name, value);
}

function normalizeKeys(file: string, params: Params): Params {
  const values = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(params)) {
    const name = key.replace(/^\$\$?/, '');
    checkName(`${file}: \`${name}\``, name);
    if (values.has(name)) throw new UsageError(`${file} sets the parameter ${name} twice`);
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

function checkName(place: string, name: string): void {
  if (/^[A-Za-z_]\w*$/.test(name)) return;
  throw new UsageError(`${place}: use letters, digits and _, and no digit at the start`);
}
