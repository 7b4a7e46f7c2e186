import type { TableInfo } from '../../../language/completion/context.ts';
import type { EditorDialect } from '../../../language/sql-keywords.ts';
import { printStoredName, printTableName } from '../../../language/table-names.ts';

/** A text to start from. */
interface Example {
  readonly label: string;
  readonly text: string;
}

/** Three statements for an empty text that run on a kind of connection; with tables, they use the first one. */
export function listExamples(
  kind: string,
  dialect: EditorDialect,
  tables: readonly TableInfo[],
): readonly Example[] {
  const first = tables.find(({ columns }) => columns.length > 0);
  const ofTable = first === undefined ? [] : listOfTable(kind, dialect, first);
  const others = kind === 'semantic' ? SEMANTIC : OTHERS[dialect];
  return [...ofTable, ...others].slice(0, 3);
}

function listOfTable(kind: string, dialect: EditorDialect, table: TableInfo): readonly Example[] {
  const { name, columns } = table;
  const from = printTableName(table, dialect);
  const [one = '', ...rest] = columns.map((column) => printStoredName(column.name, dialect));
  if (kind === 'semantic') {
    const fields = [one, ...rest.slice(-1)].join(', ');
    return [
      { label: `Ask for fields of ${name}`, text: `SELECT ${fields}\nFROM ${from};` },
      { label: `Count ${name}`, text: `SELECT COUNT(*) AS n\nFROM ${from};` },
    ];
  }
  const counted = `SELECT ${one}, count(*) AS n\nFROM ${from}\nGROUP BY ${one}\nORDER BY n DESC\nLIMIT 20;`;
  const count = { label: `Count the rows of ${name} by ${columns[0]?.name}`, text: counted };
  return dialect === 'duckdb' ? [{ label: `Summarize ${name}`, text: `SUMMARIZE ${from};` }, count] : [count];
}

const SEMANTIC: readonly Example[] = [
  {
    label: 'List the fields of the model',
    text: 'SELECT table_name, column_name, data_type\nFROM information_schema.columns;',
  },
  { label: 'List the entities of the model', text: 'SELECT table_name\nFROM information_schema.tables;' },
  { label: 'Show the date', text: 'SELECT CURRENT_DATE AS today;' },
];

const TABLES: Example = {
  label: 'Count the tables of each schema',
  text: 'SELECT table_schema, count(*) AS n\nFROM information_schema.tables\nGROUP BY table_schema;',
};

const VERSION: Example = { label: 'Show the version of the database', text: 'SELECT version() AS version;' };

const OTHERS: Readonly<Record<EditorDialect, readonly Example[]>> = {
  duckdb: [
    { label: 'Make rows of numbers', text: 'SELECT i, i * i AS square\nFROM range(1, 11) AS t(i);' },
    {
      label: 'Make a row for each month of a year',
      text: "SELECT month::DATE AS month\nFROM range(DATE '2026-01-01', DATE '2027-01-01', INTERVAL 1 MONTH) AS t(month);",
    },
    TABLES,
  ],
  postgresql: [
    {
      label: 'Make rows of numbers',
      text: 'SELECT i, i * i AS square\nFROM generate_series(1, 10) AS t(i);',
    },
    TABLES,
    VERSION,
  ],
  mysql: [
    {
      label: 'Make rows of numbers',
      text: 'WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < 10)\nSELECT i, i * i AS square\nFROM t;',
    },
    TABLES,
    VERSION,
  ],
  trino: [
    {
      label: 'Make rows of numbers',
      text: 'SELECT i, i * i AS square\nFROM UNNEST(sequence(1, 10)) AS t(i);',
    },
    TABLES,
    VERSION,
  ],
};
