import { DATE_PARTS } from '../../../src/semantic/expression/create-date-text.ts';
import type { FunctionCase } from './function-cases.ts';

/** Patterns of several parts: parts that follow each other as in the text of a time, or not, and plain text between them. */
const PATTERNS: readonly string[] = [
  'YYYY-MM',
  'YYYY-MM-DD',
  'YYYYMMDD',
  'YYYY-MM-DD HH24:MI:SS',
  'YYYY-MM-DD HH24:MI:SS.US',
  'YY-MM',
  'YYYY-DD',
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"',
  'DD.MM.YYYY',
  'FMDD.FMMM.YYYY',
  'FMMonth YYYY',
  'Month YYYY',
  'Day, DD Mon YYYY',
  'FMDay, FMDD"th"',
  '"Q"Q YYYY',
  'IYYY-"W"IW-ID',
  'HH12:MI AM',
  'FMHH12:MI:SS PM',
  'HH24"h"MI',
  '"a \\"quoted\\" \\\\ text" YYYY',
  '\\"YYYY\\"',
  'YYYY年MM月',
  "'YY [%] 20",
  'DDDDID',
  'MSUS',
];

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Constants, whose texts are computed when the SQL is generated. */
const CONSTANTS: readonly string[] = [
  ...['0001-01-01', '1969-12-31', '2020-12-31', '2021-01-01', '2023-01-01', '2024-12-30', '9999-12-31'].map(
    (day) => `DATE '${day}'`,
  ),
  ...['0001-01-01 00:00:00.000001', '1969-12-31 12:00:00.25', '9999-12-31 23:59:59.999999'].map(
    (time) => `TIMESTAMP '${time}'`,
  ),
];

/** Every pattern with and without FM, of each type of dates. */
export const CHAR_CASES: readonly FunctionCase[] = [
  ...DATE_PARTS.flatMap((part) =>
    ['ts', 'u', 'd'].flatMap((column): readonly FunctionCase[] => [
      [`TO_CHAR(${column}, '${part}')`],
      [`TO_CHAR(${column}, 'FM${part}')`],
    ]),
  ),
  ...PATTERNS.flatMap((pattern) => {
    const text = quote(pattern);
    return [`TO_CHAR(ts, ${text})`, `TO_CHAR(d, ${text})`].map((own): FunctionCase => [own]);
  }),
  ...CONSTANTS.flatMap((constant) =>
    ['', 'FM'].map((mode): FunctionCase => {
      return [`TO_CHAR(${constant}, '${DATE_PARTS.map((part) => `${mode}${part}`).join(' ')}')`];
    }),
  ),
  ["TO_CHAR(CAST(ts AS TIMESTAMP), 'HH24:MI')", "to_char(ts, 'HH24:MI')"],
  ["TO_CHAR(DATE_TRUNC('month', ts), 'YYYY-' || 'MM')", "to_char(ts, 'YYYY-MM')"],
  [
    "TO_CHAR(DATE_TRUNC('hour', ts), 'HH24:MI:SS.US')",
    "to_char(date_trunc('hour', ts::timestamp), 'HH24:MI:SS.US')",
  ],
  [
    "TO_CHAR(ts + n * INTERVAL '1 day', 'YYYY-MM-DD HH24')",
    "to_char(ts + n * interval '1 day', 'YYYY-MM-DD HH24')",
  ],
  ["w LIKE TO_CHAR(DATE '2026-01-31', 'YYYY-MM') || '%'", "w LIKE '2026-01%'"],
];
