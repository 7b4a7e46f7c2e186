import type { DataFile, LoadSettings } from '../api/data-input.ts';
import { convertSheet, type SheetFacts } from './convert-sheet.ts';
import { sheetErrors } from './errors.ts';
import { hasEncryptedWorkbook } from './old-workbook.ts';

/** What the first bytes of a file say. */
interface FileStart {
  /** The first bytes; of a compressed file, after decompression. */
  readonly head: Buffer;
  readonly isCompressed: boolean;
}

/** The sheet of a workbook, written as csv. */
export interface ReadSheet {
  readonly file: DataFile;
  readonly facts: SheetFacts;
}

const OLD_FORMAT = '\xd0\xcf\x11\xe0';
const ZIP = 'PK\x03\x04';

/** Writes a sheet to `target`. Rejects with a ServiceError for a file that is not a workbook, and for invalid cells. */
export async function readSheet(
  file: DataFile,
  { head, isCompressed }: FileStart,
  { settings, target }: { readonly settings: LoadSettings; readonly target: string },
  signal: AbortSignal,
): Promise<ReadSheet> {
  const { name, path } = file;
  const start = head.toString('latin1', 0, ZIP.length);
  if (start === OLD_FORMAT) {
    throw (await hasEncryptedWorkbook(path)) ? sheetErrors.encrypted(name) : sheetErrors.oldFormat(name);
  }
  if (start !== ZIP) throw sheetErrors.noWorkbook(name);
  if (isCompressed) throw sheetErrors.packed(name);
  const facts = await convertSheet(
    { path, name, target },
    {
      sheet: settings.sheet,
      skip: settings.skip ?? 0,
      skipFooter: settings.skipFooter ?? 0,
      hasHeader: settings.header ?? true,
      nulls: settings.nulls ?? [],
      decimal: chooseDecimal(settings) ?? '.',
    },
    signal,
  );
  return { file: { ...file, path: target }, facts };
}

/** How the csv of sheets is read. */
export function toCsvSettings(settings: LoadSettings): LoadSettings {
  const { sheet: _sheet, skip: _skip, skipFooter: _footer, ...rest } = settings;
  return {
    ...rest,
    delimiter: ',',
    quote: '"',
    header: settings.header ?? true,
    decimal: chooseDecimal(settings),
  };
}

/** Numbers of cells are written with the character that texts have. */
function chooseDecimal({ decimal, thousands }: LoadSettings): string | undefined {
  return decimal ?? (thousands === '.' ? ',' : undefined);
}

/**
 * The types of the columns of sheets by name, without those of texts where the caller says how texts are written: they are
 * read like texts of csv then.
 */
export function findSheetTypes(
  sheets: readonly (SheetFacts | undefined)[],
  names: readonly (readonly string[])[],
  { decimal, thousands, dateFormat, timestampFormat }: LoadSettings,
): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string | undefined>>();
  for (const [at, sheet] of sheets.entries()) {
    for (const [column, name] of (sheet === undefined ? [] : (names[at] ?? [])).entries()) {
      const types = found.get(name) ?? new Set();
      found.set(name, types.add(sheet?.types[column]));
    }
  }
  const areTextsRead = [decimal, thousands, dateFormat, timestampFormat].some((one) => one !== undefined);
  const types = new Map<string, string>();
  for (const [name, set] of found) {
    const type = mergeTypes(set);
    if (type !== undefined && !(areTextsRead && type === 'VARCHAR')) types.set(name, type);
  }
  return types;
}

function mergeTypes(types: ReadonlySet<string | undefined>): string | undefined {
  const known = [...types].filter((type) => type !== undefined);
  if (known.length <= 1) return known[0];
  const hold = (held: readonly string[]) => known.every((type) => held.includes(type));
  if (hold(['BIGINT', 'DOUBLE'])) return 'DOUBLE';
  return hold(['DATE', 'TIMESTAMP']) ? 'TIMESTAMP' : 'VARCHAR';
}
