import type { JsonValue } from '../../engine/script/params/json-value.ts';
import { isRecord } from '../../invariants/narrow.ts';
import { isDecimal, parseNumber } from '../../text/decimal.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import type { OptionsOf } from '../table/commands.ts';
import { readExactJson, readPairs } from './run-options.ts';

/** A number as JSON writes it, without an exponent: its digits and zeros are kept. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The values of placeholders: those of `--bind-file`, overwritten by those of `--bind`. Throws a UsageError. */
export async function readBind(
  context: CliContext,
  { bind, bindFile }: Pick<OptionsOf<'sql'>, 'bind' | 'bindFile'>,
): Promise<Readonly<Record<string, JsonValue>> | undefined> {
  if (bind.length === 0 && bindFile === undefined) return undefined;
  const typed = Object.entries(readPairs('--bind', bind)).map(
    ([name, text]) => [name, readBoundText(text)] as const,
  );
  const fromFile = bindFile === undefined ? [] : await readFileValues(context, bindFile);
  return Object.fromEntries([...fromFile, ...typed]);
}

function readBoundText(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return NUMBER.test(text) ? (parseNumber(text) ?? text) : text;
}

async function readFileValues(
  context: CliContext,
  file: string,
): Promise<readonly (readonly [string, JsonValue])[]> {
  const value = await readExactJson(context, file);
  if (Array.isArray(value)) return value.map((item: JsonValue, at) => [String(at + 1), item] as const);
  if (isRecord(value) && !isDecimal(value)) {
    return Object.entries(value).map(([key, item]) => [key.replace(/^\$/, ''), item] as const);
  }
  throw new UsageError(`${file} must contain a JSON array or one JSON object, {"name": value, …}`);
}
