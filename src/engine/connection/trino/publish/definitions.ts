import { type Belonging, toBelongings } from '../../contract/belongings.ts';
import type { PublishedName } from '../../contract/connection.ts';
import type { Statements } from '../../server/publishing-platform.ts';
import { print } from './publishing-sql.ts';

/** What `SHOW CREATE TABLE` prints of a table; all parts are SQL. */
export interface TableDefinition {
  readonly columns: readonly Column[];
  /** Such as `'all orders'`; null for most tables. */
  readonly comment: string | null;
  /** Such as `format = 'ORC'`, without the location, which each table has for itself. */
  readonly properties: readonly string[];
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** Such as `NOT NULL`; empty for most columns. */
  readonly options: string;
  readonly comment: string | null;
}

/** Lines, which do not end inside quotes. */
const LINES = /(?:'(?:[^']|'')*'|"(?:[^"]|"")*"|[^\n'"])+/g;
const COLUMN =
  /^("(?:[^"]|"")*"|\S+) (.+?)((?: DEFAULT .+?)?(?: NOT NULL)?)(?: COMMENT ('(?:[^']|'')*'))?( WITH \(.*\))?$/s;
const COMMENT = 'COMMENT ';
/** The comment and the security mode of a view, between its name and its query. */
const VIEW = /^CREATE VIEW (?:"(?:[^"]|"")*"|[^\s"])+((?:'(?:[^']|'')*'|[^'])*?)\sAS\n/;

/** Reads the definition of a table. Rejects with a DatabaseError. */
export async function readTable(
  { select }: Statements,
  table: PublishedName,
  signal: AbortSignal,
): Promise<TableDefinition> {
  const [[text] = []] = await select(`SHOW CREATE TABLE ${print(table)}`, signal);
  const lines: readonly string[] = text!.match(LINES) ?? [];
  const end = lines.indexOf(')');
  const tail = lines.slice(end + 1);
  return {
    columns: readItems(lines.slice(0, end)).map((column) => {
      const [, name, type, options, comment = null, properties = ''] = COLUMN.exec(column)!;
      return { name: name!, type: type!, options: `${options}${properties}`.trim(), comment };
    }),
    comment: tail.find((line) => line.startsWith(COMMENT))?.slice(COMMENT.length) ?? null,
    properties: readItems(tail).filter((property) => !property.startsWith('location = ')),
  };
}

/** The items of a list in parentheses, one in each line. */
function readItems(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.startsWith('   ')).map((line) => line.trim().replace(/,$/, ''));
}

/** The comment and the properties of a table, for a statement that creates another one. */
export function printOptions({ comment, ...table }: TableDefinition): string {
  return `${comment === null ? '' : ` COMMENT ${comment}`}${printProperties(table)}`;
}

function printProperties({ properties }: Pick<TableDefinition, 'properties'>): string {
  return properties.length === 0 ? '' : ` WITH (${properties.join(', ')})`;
}

/**
 * The statements that create a table of this definition with the rows of another one. Comments come later: not all
 * catalogs can create a table with them.
 */
export function printCopy(
  table: TableDefinition,
  name: PublishedName,
  source: PublishedName,
): readonly string[] {
  const [create, rows] = [`CREATE TABLE ${print(name)}`, `SELECT * FROM ${print(source)}`];
  const columns = table.columns.map((column) => `${column.name} ${column.type} ${column.options}`).join(', ');
  const hasOptions = table.columns.some(({ options }) => options !== '');
  const fillStatements = hasOptions
    ? [`${create} (${columns})${printProperties(table)}`, `INSERT INTO ${print(name)} ${rows}`]
    : [`${create}${printProperties(table)} AS ${rows}`];
  const comments = [
    { object: `TABLE ${print(name)}`, comment: table.comment },
    ...table.columns.map((column) => ({
      object: `COLUMN ${print(name)}.${column.name}`,
      comment: column.comment,
    })),
  ].filter(({ comment }) => comment !== null);
  return [...fillStatements, ...comments.map(({ object, comment }) => `COMMENT ON ${object} IS ${comment}`)];
}

/** Whether the columns have the same names and types. */
export function hasColumnsOf(left: TableDefinition, right: TableDefinition): boolean {
  const list = ({ columns }: TableDefinition) =>
    JSON.stringify(columns.map(({ name, type }) => [name, type]));
  return list(left) === list(right);
}

/** What a statement that creates a table from a query cannot give to its columns. */
export function listColumnBelongings({ columns }: TableDefinition): readonly Belonging[] {
  const rows = columns.flatMap(({ name, options, comment }) => {
    const parts = [options, comment === null ? '' : `${COMMENT}${comment}`].filter((part) => part !== '');
    return parts.length === 0 ? [] : [[`${parts.join(' ')} of the column ${name}`]];
  });
  return toBelongings(rows);
}

/** What a table has that a new table with the same columns, `plain`, does not have. */
export function listBelongings(table: TableDefinition, plain: TableDefinition): readonly Belonging[] {
  const comment = table.comment === null ? [] : [`${COMMENT}${table.comment}`];
  const properties = table.properties.filter((property) => !plain.properties.includes(property));
  return [...listColumnBelongings(table), ...toBelongings([...comment, ...properties].map((text) => [text]))];
}

/** What a view has besides its query. */
interface ViewDefinition {
  /** What follows its name, such as `COMMENT 'all orders' SECURITY INVOKER`. */
  readonly options: string;
  /** The comments of its columns, by name. */
  readonly comments: ReadonlyMap<string, string>;
}

/** Reads the definition of a view. Rejects with a DatabaseError. */
export async function readView(
  { select }: Statements,
  view: PublishedName,
  signal: AbortSignal,
): Promise<ViewDefinition> {
  const [[text] = []] = await select(`SHOW CREATE VIEW ${print(view)}`, signal);
  const columns = await select(`SHOW COLUMNS FROM ${print(view)}`, signal);
  const commented = columns.filter(([, , , comment]) => comment);
  return {
    options: VIEW.exec(text!)![1]!.trim(),
    comments: new Map(commented.map(([name, , , comment]) => [name!, comment!])),
  };
}
