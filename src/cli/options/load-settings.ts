import type { LoadSettings } from '../../workspace/api/data-input.ts';
import { UsageError } from '../context/errors.ts';
import type { OptionsOf } from '../table/commands.ts';

/** The maximum length of a delimiter, in bytes. */
const MAX_DELIMITER_LENGTH = 4;

/** The read options of `quern load`. Throws a UsageError for invalid values. */
export function readLoadSettings(options: OptionsOf<'load'>): LoadSettings {
  const settings: LoadSettings = {
    delimiter: readDelimiter(options.delimiter),
    quote: readQuote(options.quote),
    header: options.header,
    encoding: readEncoding(options.encoding),
    nulls: options.null.length === 0 ? undefined : options.null,
    types: readTypes(options.types),
    unionByName: options.unionByName || undefined,
  };
  if (settings.quote !== undefined && settings.quote !== '' && settings.delimiter?.includes(settings.quote)) {
    throw new UsageError('--quote and --delimiter have a character in common');
  }
  return settings;
}

/** Accepts `\t` for a tab, which is hard to type in a shell. */
function readDelimiter(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value.replaceAll('\\t', '\t');
  const size = Buffer.byteLength(text);
  if (size > 0 && size <= MAX_DELIMITER_LENGTH && !/[\r\n]/.test(text)) return text;
  throw new UsageError(
    `--delimiter \`${value}\`: expected 1 to ${MAX_DELIMITER_LENGTH} characters, such as , or ; or \\t for a tab`,
  );
}

function readQuote(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (/^[\x20-\x7e]?$/.test(value)) return value;
  throw new UsageError(`--quote \`${value}\`: expected one character, or '' for none`);
}

function readEncoding(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(value);
    return encoding === 'utf-8' ? undefined : value;
  } catch {
    throw new UsageError(
      `--encoding \`${value}\` is unknown: use a name such as utf-8, utf-16, windows-1252, iso-8859-15, shift_jis or gb18030`,
    );
  }
}

function readTypes(value: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (value.length === 0) return undefined;
  const types = new Map<string, string>();
  for (const pair of value.flatMap(splitPairs)) {
    const [, name, type] = /^\s*(.+?)\s*=\s*(.*\S)\s*$/s.exec(pair) ?? [];
    if (name === undefined || type === undefined) {
      throw new UsageError(`--types ${pair}: expected \`column=TYPE\`, for example id=VARCHAR`);
    }
    if (types.has(name)) throw new UsageError(`--types ${name} is given twice`);
    types.set(name, type);
  }
  return Object.fromEntries(types);
}

/** Splits pairs at commas outside parentheses: `id=BIGINT,price=DECIMAL(9,2)` has two. */
function splitPairs(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}
