import { quoteArgument } from '../../errors/quote-argument.ts';
import { ServiceError } from '../../errors/service-error.ts';

/** The maximum of listed names of sheets. */
const MAX_NAMES = 20;

/** Errors of workbooks: 400 for invalid arguments, 422 for invalid data. */
export const sheetErrors = {
  encrypted: (name: string) =>
    new ServiceError(422, 'workbook_encrypted', `${name} has a password: save it without one`),
  oldFormat: (name: string) =>
    new ServiceError(400, 'workbook_not_supported', `${name} is an old workbook (.xls): save it as .xlsx`),
  packed: (name: string) =>
    new ServiceError(400, 'workbook_compressed', `${name} is a compressed workbook: decompress it first`),
  noWorkbook: (name: string) =>
    new ServiceError(
      400,
      'workbook_not_supported',
      `${name} is not a workbook by its first bytes: use --type csv`,
    ),
  otherWorkbook: (name: string) =>
    new ServiceError(
      400,
      'workbook_not_supported',
      `${name} has no sheets of the format .xlsx: save it as .xlsx`,
    ),
  damaged: (name: string, reason: string) =>
    new ServiceError(422, 'workbook_damaged', `${name} is damaged, and nothing was loaded: ${reason}`),
  tooLarge: (name: string, bytes: number) =>
    new ServiceError(
      422,
      'workbook_too_large',
      `${name} has more than ${bytes.toLocaleString('en')} bytes when it is unpacked: save the sheet as csv`,
    ),
  noSheet: (name: string, sheet: string, names: readonly string[]) => {
    const listed = names.slice(0, MAX_NAMES).map((one) => `\`${one}\``);
    const more = names.length > MAX_NAMES ? ', …' : '';
    return new ServiceError(
      400,
      'sheet_not_found',
      `${name} has no sheet \`${sheet}\`; it has ${listed.join(', ')}${more}`,
    );
  },
  empty: (name: string, sheet: string) =>
    new ServiceError(422, 'sheet_empty', `${name}: the sheet \`${sheet}\` has no values`),
  skippedAll: (name: string, rows: number, skip: number) =>
    new ServiceError(
      422,
      'file_too_short',
      `--skip ${skip}: the sheet of ${name} has only ${rows} ${rows === 1 ? 'row' : 'rows'}; use a smaller number`,
    ),
  errorCell: (name: string, cell: string, text: string) =>
    new ServiceError(
      422,
      'cell_error',
      `${name}: ${cell} is the error ${text}. --null ${quoteArgument(text)} reads it as NULL`,
    ),
  noValue: (name: string, cell: string) =>
    new ServiceError(
      422,
      'cell_without_value',
      `${name}: ${cell} is a formula without a stored value. Save it in a spreadsheet program, or use --null ''`,
    ),
  invalidCell: (name: string, cell: string, text: string, type: string) =>
    new ServiceError(422, 'cell_invalid', `${name}: ${cell}: \`${text}\` is not a valid ${type}`),
};
