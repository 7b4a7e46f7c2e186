import { elementAt } from '../../../invariants/must.ts';
import type { StatementResult } from '../../connection/contract/connection.ts';
import { createCellText } from '../../result/columns/cell-text.ts';
import { type Chunk, type Column, type ColumnType, isValid } from '../../result/columns/column.ts';
import type { BlockRead } from '../../script/values/request.ts';
import type { SqlDialect } from '../../text/sql-dialect.ts';
import type { BlockRunner } from '../blocks/block-runner.ts';
import { hasNumbers } from './compare-rows.ts';
import { type ColumnFacts, hasDay, type NumberedRows } from './damages.ts';

/** Characters of a value that are compared with others. */
const COMPARED = 200;
/** From here on, a double, or a float, can be equal to itself plus one. */
const MAX_EXACT: Readonly<Record<string, number>> = { double: 2 ** 53, float: 2 ** 24 };
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Types whose values Trino cannot order. */
const UNORDERED: readonly ColumnType['kind'][] = ['json', 'map', 'geometry', 'variant', 'union'];
/** Types in whose order PostgreSQL has all their values; it orders others by their text. */
const ORDERED: readonly ColumnType['kind'][] = [
  'boolean',
  'integer',
  'decimal',
  'float',
  'double',
  'date',
  'time',
  'timestamp',
];

/** A numbered copy of the rows that a call reads. */
export interface CopiedRows extends NumberedRows {
  readonly read: BlockRead;
  /** The relation that has been copied. */
  readonly original: string;
}

/** Copies the first rows that a call reads, by all columns. Rejects with a StatementError or a DiagnosticError. */
export async function copyRows(read: BlockRead, maxRows: number, runner: BlockRunner): Promise<CopiedRows> {
  const { dialect } = runner.session.context;
  const { block } = read.call;
  const original = await runner.relate(read);
  const columns = await runner.readQuery(block, `SELECT * FROM ${original} WHERE 1 = 0`, readColumns);
  const number = findFreeName(columns);
  const names = columns.map(({ name }) => dialect.quoteName(name)).join(', ');
  const order = columns.flatMap((column) => printOrder(column, dialect)).join(', ');
  const by = order === '' ? '' : `ORDER BY ${order}`;
  const first = `SELECT * FROM ${original} ${by} LIMIT ${maxRows}`;
  const numbered = `ROW_NUMBER() OVER (${by}) AS ${dialect.quoteName(number)}`;
  const relation = await runner.store(block, `SELECT ${names}, ${numbered} FROM (${first}) AS r`, 'table');
  const list = `SELECT ${names} FROM ${relation} ORDER BY ${dialect.quoteName(number)}`;
  const facts = await runner.readQuery(block, list, readFacts);
  return { read, original, relation, number, ...facts };
}

async function readColumns(result: StatementResult): Promise<readonly Column[]> {
  if (result.kind === 'done') return [];
  for await (const _ of result.chunks);
  return result.columns;
}

/** A name for the number that no column has. */
function findFreeName(columns: readonly Column[]): string {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  let name = 'quern_row';
  while (names.has(name)) name += '_';
  return name;
}

/** How rows are ordered by a column; empty where they cannot be. */
function printOrder({ name, type }: Column, dialect: SqlDialect): readonly string[] {
  const column = dialect.quoteName(name);
  if (dialect.name === 'postgresql' && !ORDERED.includes(type.kind)) return [`CAST(${column} AS text)`];
  return dialect.name === 'trino' && UNORDERED.includes(type.kind) ? [] : [column];
}

/** What the rows of a result, in their order, say of its columns. */
async function readFacts(result: StatementResult): Promise<Pick<NumberedRows, 'columns' | 'count'>> {
  if (result.kind === 'done') return { columns: [], count: 0 };
  const { columns, chunks } = result;
  const watch = new RowWatch(columns);
  let count = 0;
  for await (const chunk of chunks) {
    if (watch.isOpen) watch.take(chunk, count);
    count += chunk.rows;
  }
  return { columns: watch.facts, count };
}

/** Finds the first rows that damages of the columns would change. */
class RowWatch {
  readonly #columns: readonly Column[];
  readonly #watches: readonly ColumnWatch[];
  #first: readonly (string | null)[] = [];

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#watches = columns.map((column) => new ColumnWatch(column));
  }

  get facts(): readonly ColumnFacts[] {
    return this.#watches.map(({ facts }) => facts);
  }

  get isOpen(): boolean {
    return this.#watches.some(({ isOpen }) => isOpen);
  }

  /** Takes the rows of a chunk, before which there were some others. */
  take(chunk: Chunk, before: number): void {
    const vectors = this.#columns.map((_, i) => chunk.vector(i));
    const texts = vectors.map((vector, i) =>
      createCellText(elementAt(this.#columns, i).type, vector, COMPARED),
    );
    for (let row = 0; row < chunk.rows && this.isOpen; row += 1) {
      const isThere = (i: number) => isValid(elementAt(vectors, i).validity, row);
      this.#takeRow(
        before + row + 1,
        texts.map((toText, i) => (isThere(i) ? toText(row) : null)),
      );
    }
  }

  #takeRow(row: number, values: readonly (string | null)[]): void {
    if (row === 1) this.#first = values;
    const differing = this.#watches.filter((_, i) => values[i] !== this.#first[i]);
    for (const [i, watch] of this.#watches.entries()) watch.take(row, values[i] ?? null);
    // Where only one column differs, an exchange makes the same two rows.
    if (differing.length > 1) for (const watch of differing) watch.pair(row);
  }
}

/** Finds the first rows that a damage of one column would change. */
class ColumnWatch {
  #facts: ColumnFacts;

  constructor({ name, type }: Column) {
    const none = { filled: null, number: null, notZero: null, day: null, partner: null };
    this.#facts = { name, type, ...none, isUuid: false };
  }

  get facts(): ColumnFacts {
    return this.#facts;
  }

  /** Whether a later row can say more. */
  get isOpen(): boolean {
    const { type, filled, number, notZero, day, partner } = this.#facts;
    if (filled === null || partner === null) return true;
    if (hasNumbers(type)) return number === null || notZero === null;
    return hasDay(type) && day === null;
  }

  take(row: number, text: string | null): void {
    const { type, filled } = this.#facts;
    if (text === null) return;
    if (filled === null) this.#facts = { ...this.#facts, filled: row, isUuid: UUID.test(text) };
    if (hasNumbers(type)) this.#takeNumber(row, Number(text));
    if (hasDay(type) && /\d/.test(text)) this.#facts = { ...this.#facts, day: this.#facts.day ?? row };
  }

  #takeNumber(row: number, value: number): void {
    const { type, number, notZero } = this.#facts;
    if (!Number.isFinite(value)) return;
    const isExact = Math.abs(value) < (MAX_EXACT[type.kind] ?? Number.POSITIVE_INFINITY);
    this.#facts = {
      ...this.#facts,
      number: number ?? (isExact ? row : null),
      notZero: notZero ?? (value === 0 ? null : row),
    };
  }

  pair(row: number): void {
    this.#facts = { ...this.#facts, partner: this.#facts.partner ?? row };
  }
}
