// Damages of the rows of a block, as queries over a copy whose rows are numbered. The number of the row that a damage
// changes is known from the rows; every value comes from SQL or is a constant of this file.

import type { ColumnType, NamedType } from '../../result/columns/column.ts';
import type { SqlDialect } from '../../text/sql-dialect.ts';
import type { DamageKind } from '../outcome/can-fail-report.ts';
import { hasNumbers } from './compare-rows.ts';

/** A copy of the rows of a block, with their numbers from 1, and what damages need to know of its columns. */
export interface NumberedRows {
  /** The relation with the columns and the number. */
  readonly relation: string;
  /** The name of the column with the number. */
  readonly number: string;
  readonly columns: readonly ColumnFacts[];
  readonly count: number;
}

/** A column, and the numbers of the first rows that a damage would change; null if there is no such row. */
export interface ColumnFacts extends NamedType {
  readonly filled: number | null;
  /** A number that differs from itself plus one. */
  readonly number: number | null;
  readonly notZero: number | null;
  readonly day: number | null;
  /** A row that differs from the first one in this column, and in another one. */
  readonly partner: number | null;
  readonly isUuid: boolean;
}

export interface Damage {
  readonly kind: DamageKind;
  readonly column: string | null;
  /** The damaged rows. */
  readonly query: string;
  /** The rows with the damage in each of them; null if that is the same, or means nothing. */
  readonly everywhere: string | null;
}

/** Values that data does not have: a number is above the greatest one by this, a date is this day. */
const NUMBER_ABOVE = 1_000_003;
const UNKNOWN_DAY = '2783-10-17';
const UNKNOWN_TEXT = 'found nowhere else';
const UNKNOWN_UUID = '0f5eed00-0bad-4bad-8bad-0bad0bad0bad';

/** Whether a column has days. */
export function hasDay({ kind }: ColumnType): boolean {
  return kind === 'date' || kind === 'timestamp';
}

function isText(type: ColumnType): boolean {
  return type.kind === 'text' && type.label === 'STRING';
}

/** The undamaged rows. */
export function printUndamaged(rows: NumberedRows, dialect: SqlDialect): string {
  return new DamagePrinter(rows, dialect).printRows();
}

/** The damages of whole rows. */
export function listRowDamages(rows: NumberedRows, dialect: SqlDialect): readonly Damage[] {
  if (rows.count === 0) return [];
  const printer = new DamagePrinter(rows, dialect);
  const column = null;
  return [
    { kind: 'no_rows', column, query: printer.printRows('WHERE 1 = 0'), everywhere: null },
    ...(rows.count === 1
      ? []
      : [
          {
            kind: 'row_less' as const,
            column,
            query: printer.printRows(`WHERE ${printer.number} <> 1`),
            everywhere: null,
          },
        ]),
    { kind: 'row_twice', column, query: printer.printTwice('= 1'), everywhere: printer.printTwice('> 0') },
  ];
}

/** The damages of columns, column by column. */
export function listColumnDamages(rows: NumberedRows, dialect: SqlDialect): readonly Damage[] {
  if (rows.count === 0) return [];
  const printer = new DamagePrinter(rows, dialect);
  return rows.columns.flatMap((column) => listValueDamages(column, printer));
}

function listValueDamages(column: ColumnFacts, printer: DamagePrinter): readonly Damage[] {
  const { name, type, filled, notZero, day, partner } = column;
  const value = printer.quote(name);
  const damages: Damage[] = [];
  const add = (kind: DamageKind, row: number | null, damaged: string) => {
    if (row === null) return;
    const query = printer.printColumn(name, [[`= ${row}`, damaged]]);
    damages.push({ kind, column: name, query, everywhere: printer.printColumn(name, [['> 0', damaged]]) });
  };
  add('null', filled, 'NULL');
  add('plus_one', column.number, `${value} + 1`);
  add('sign', notZero, `-${value}`);
  if (isText(type)) add('ending', filled, `CONCAT(${value}, '~')`);
  const later = `${value} + INTERVAL '1' DAY`;
  add('day', day, type.kind === 'date' ? `CAST(${later} AS DATE)` : later);
  const unknown = printUnknown(column, value, printer);
  if (unknown !== null) add('unknown_value', filled ?? 1, unknown);
  if (partner !== null) {
    const query = printer.printColumn(name, [
      ['= 1', printer.printValueOf(name, partner)],
      [`= ${partner}`, printer.printValueOf(name, 1)],
    ]);
    damages.push({ kind: 'exchanged', column: name, query, everywhere: null });
  }
  return damages;
}

/** A value that is found nowhere else; null for a type without one. */
function printUnknown(
  { type, isUuid }: ColumnFacts,
  value: string,
  { quoteText }: DamagePrinter,
): string | null {
  if (hasNumbers(type)) return `COALESCE(MAX(${value}) OVER (), 0) + ${NUMBER_ABOVE}`;
  if (isText(type)) return quoteText(isUuid ? UNKNOWN_UUID : UNKNOWN_TEXT);
  if (type.kind === 'date') return `DATE '${UNKNOWN_DAY}'`;
  return type.kind === 'timestamp' ? `TIMESTAMP '${UNKNOWN_DAY} 00:00:00'` : null;
}

class DamagePrinter {
  readonly #rows: NumberedRows;
  readonly quote: SqlDialect['quoteName'];
  readonly quoteText: SqlDialect['quoteText'];
  readonly number: string;

  constructor(rows: NumberedRows, { quoteName, quoteText }: SqlDialect) {
    this.#rows = rows;
    this.quote = quoteName;
    this.quoteText = quoteText;
    this.number = quoteName(rows.number);
  }

  /** All columns of some rows. */
  printRows(where = ''): string {
    return this.#print(this.#listColumns(), where);
  }

  /** All rows, and those once more whose number fulfils a condition. */
  printTwice(condition: string): string {
    const columns = this.#listColumns().map((column) => `t.${column}`);
    const twice = `JOIN (SELECT 1 AS k UNION ALL SELECT 2) AS d ON d.k = 1 OR t.${this.number} ${condition}`;
    return this.#print(columns, `AS t ${twice}`);
  }

  /** All rows; in those whose number fulfils a condition, another value of a column. */
  printColumn(name: string, changes: readonly (readonly [condition: string, damaged: string])[]): string {
    const value = this.quote(name);
    const cases = changes.map(([condition, damaged]) => `WHEN ${this.number} ${condition} THEN ${damaged}`);
    const changed = `CASE ${cases.join(' ')} ELSE ${value} END AS ${value}`;
    return this.#print(
      this.#listColumns().map((column) => (column === value ? changed : column)),
      '',
    );
  }

  /** The value of a column in the row with a number. */
  printValueOf(name: string, row: number): string {
    return `FIRST_VALUE(${this.quote(name)}) OVER (ORDER BY CASE WHEN ${this.number} = ${row} THEN 0 ELSE 1 END)`;
  }

  #listColumns(): readonly string[] {
    return this.#rows.columns.map(({ name }) => this.quote(name));
  }

  #print(columns: readonly string[], rest: string): string {
    return `SELECT ${columns.join(', ')} FROM ${this.#rows.relation} ${rest}`.trimEnd();
  }
}
