import type { LoadSettings } from '../../workspace/api/data-input.ts';
import { UsageError } from '../context/errors.ts';
import type { OptionsOf } from '../table/commands.ts';

/** The maximum length of a delimiter, in bytes. */
const MAX_DELIMITER_LENGTH = 4;

/** The read options of `quern load`. Throws a UsageError for invalid values, and for options that contradict. */
export function readLoadSettings(options: OptionsOf<'load'>): LoadSettings {
  const settings: LoadSettings = {
    delimiter: readDelimiter(options.delimiter),
    quote: readQuote(options.quote),
    header: options.header,
    skip: options.skip || undefined,
    skipFooter: options.skipFooter || undefined,
    fillShort: options.fillShort || undefined,
    encoding: readEncoding(options.encoding),
    nulls: options.null.length === 0 ? undefined : options.null,
    decimal: readMark('--decimal', options.decimal),
    thousands: readMark('--thousands', options.thousands),
    dateFormat: readFormat('--date-format', options.dateFormat),
    timestampFormat: readFormat('--timestamp-format', options.timestampFormat),
    sheet: options.sheet,
    types: readTypes(options.types),
    allText: options.allText || undefined,
    unionByName: options.unionByName || undefined,
  };
  checkSettings(settings);
  return settings;
}

const CHARACTERS = ['quote', 'delimiter', 'decimal', 'thousands'] as const;
const TYPED = ['types', 'decimal', 'thousands', 'dateFormat', 'timestampFormat'] as const;
const FLAGS: Readonly<Record<(typeof TYPED)[number], string>> = {
  types: '--types',
  decimal: '--decimal',
  thousands: '--thousands',
  dateFormat: '--date-format',
  timestampFormat: '--timestamp-format',
};

function checkSettings(settings: LoadSettings): void {
  for (const [at, one] of CHARACTERS.entries()) {
    for (const other of CHARACTERS.slice(at + 1)) {
      const [text, longer] = [settings[one], settings[other]];
      if (text === undefined || text === '' || !longer?.includes(text)) continue;
      throw new UsageError(`--${one} and --${other} have a character in common`);
    }
  }
  const typed = TYPED.find((key) => settings[key] !== undefined);
  if (settings.allText && typed !== undefined) contradict('--all-text', FLAGS[typed]);
}

/** Throws a UsageError for options that cannot be given together. */
export function contradict(one: string, other: string): never {
  throw new UsageError(`${one} and ${other} contradict each other`);
}

function readMark(flag: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (/^[^\w\d+\-\n\r]$/u.test(value)) return value;
  throw new UsageError(`${flag} \`${value}\`: expected one character, such as , or .`);
}

function readFormat(flag: string, value: string | undefined): string | undefined {
  if (value === undefined || /%[A-Za-z]/.test(value)) return value;
  throw new UsageError(`${flag} \`${value}\`: expected a format such as %d.%m.%Y`);
}

/** Accepts `tab` and `\t` for a tab, which is hard to type in a shell. */
function readDelimiter(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value === 'tab' ? '\t' : value.replaceAll('\\t', '\t');
  const size = Buffer.byteLength(text);
  if (size > 0 && size <= MAX_DELIMITER_LENGTH && !/[\r\n]/.test(text)) return text;
  throw new UsageError(
    `--delimiter \`${value}\`: expected 1 to ${MAX_DELIMITER_LENGTH} characters, such as , or ; or tab`,
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
    throw new UsageError(`--encoding \`${value}\`: use a name such as utf-16, windows-1252 or shift_jis`);
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
