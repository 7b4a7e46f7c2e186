import { RESERVED_DUCKDB, RESERVED_MYSQL, RESERVED_POSTGRESQL, RESERVED_TRINO } from './reserved-words.ts';
import { isPlainName, quoteName, quoteText } from './sql-quote.ts';

/** The syntax of names and strings of one platform. */
export interface SqlDialect {
  /** The kind of database that has it. */
  readonly name: string;
  readonly quoteName: (name: string) => string;
  readonly quoteText: (text: string) => string;
  /** Prints a name, with quotes only if SQL would otherwise not accept it. */
  readonly printName: (name: string) => string;
  /** The seconds since a time, by the clock of the database; a time without a zone is in UTC. */
  readonly printAge: (time: string) => string;
}

const quoteMysqlName = (name: string) => `\`${name.replaceAll('`', '``')}\``;

/** The dialect of each kind of database. */
export const SQL_DIALECT = {
  duckdb: {
    name: 'duckdb',
    quoteName,
    quoteText,
    printName: (name) => printName(name, RESERVED_DUCKDB, quoteName),
    printAge: (time) => `(epoch(now()) - epoch(${time}))`,
  },
  postgresql: {
    name: 'postgresql',
    quoteName,
    quoteText,
    // Names without quotes are converted to lower case.
    printName: (name) =>
      printName(name, RESERVED_POSTGRESQL, (word) =>
        quoteName(isPlainName(word) ? word.toLowerCase() : word),
      ),
    printAge: (time) => `(EXTRACT(EPOCH FROM now()) - EXTRACT(EPOCH FROM ${time}))`,
  },
  mysql: {
    name: 'mysql',
    quoteName: quoteMysqlName,
    quoteText: (text) => quoteText(text.replaceAll('\\', '\\\\')),
    printName: (name) => printName(name, RESERVED_MYSQL, quoteMysqlName),
    printAge: (time) => `TIMESTAMPDIFF(SECOND, ${time}, UTC_TIMESTAMP())`,
  },
  trino: {
    name: 'trino',
    quoteName,
    quoteText,
    // Every name is compared in lower case; `$` needs quotes.
    printName: (name) => (name.includes('$') ? quoteName(name) : printName(name, RESERVED_TRINO, quoteName)),
    // The time zone of a session is UTC by default.
    printAge: (time) => `date_diff('second', CAST(${time} AS timestamp(6) with time zone), now())`,
  },
} as const satisfies Readonly<Record<string, SqlDialect>>;

function printName(name: string, reserved: ReadonlySet<string>, quote: (name: string) => string): string {
  return isPlainName(name) && !reserved.has(name.toLowerCase()) ? name : quote(name);
}
