// Facts of sheets (ISO/IEC 29500-1), for the writer of workbooks here and the reader of src/workspace/spreadsheets.

/** The limits of a sheet: its columns, its rows with that of the names, and the UTF-16 units of a text. */
export const SHEET_LIMITS = { columns: 16_384, rows: 1_048_576, characters: 32_767 } as const;

/** 31 December 9999, the last date of a sheet that starts in 1900. */
export const LAST_DAY = 2_958_465;
/** The sheet's 29 February 1900, a day that did not exist. */
export const MISSING_DAY = 60;
/** In milliseconds. */
export const DAY: number = 24 * 60 * 60 * 1000;

/** The types of relations between the parts of a workbook. */
export const RELATIONS = {
  workbook: 'officeDocument',
  sheet: 'worksheet',
  strings: 'sharedStrings',
  styles: 'styles',
} as const;

/** The letters of a column, which is counted from 0: `A`, `AB`. */
export function printColumn(column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}
