import type { AuditEntry } from './entry-body.ts';

/** The formats of an export. */
export const AUDIT_FORMATS = ['csv', 'ndjson'] as const;

/** The columns of an export, in order. */
const COLUMNS = [
  'id',
  'at',
  'actor',
  'token',
  'action',
  'object',
  'result',
  'address',
  'request_id',
] as const satisfies readonly (keyof AuditEntry)[];

/** The header row of CSV. */
export const AUDIT_HEADER = `${COLUMNS.join(',')}\n`;

/** A text that a spreadsheet would compute. */
const FORMULA = /^[=+\-@\t\r]/;

/** A line of an export. In CSV, texts that a spreadsheet would compute begin with an apostrophe. */
export function printAuditEntry(entry: AuditEntry, format: (typeof AUDIT_FORMATS)[number]): string {
  if (format === 'ndjson') return `${JSON.stringify(entry)}\n`;
  return `${COLUMNS.map((column) => printField(entry[column])).join(',')}\n`;
}

function printField(value: string | null): string {
  if (value === null) return '';
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
