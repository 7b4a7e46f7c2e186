import { RESERVED_DUCKDB, RESERVED_MYSQL, RESERVED_POSTGRESQL } from './reserved-words.ts';
import { isPlainName, quoteName, quoteText } from './sql-quote.ts';

/** How one platform writes names and strings. */
export interface SqlDialect {
  readonly quoteName: (name: string) => string;
  readonly quoteText: (text: string) => string;
  /** A name that SQL reads as if it stood there without quotes, which it has where it needs them. */
  readonly printName: (name: string) => string;
}

const quoteMysqlName = (name: string) => `\`${name.replaceAll('`', '``')}\``;

/** The dialect of each kind of database that has one here. */
export const SQL_DIALECT = {
  duckdb: { quoteName, quoteText, printName: (name) => printName(name, RESERVED_DUCKDB, quoteName) },
  postgresql: {
    quoteName,
    quoteText,
    // Without quotes, names are read in lower case.
    printName: (name) =>
      printName(name, RESERVED_POSTGRESQL, (word) =>
        quoteName(isPlainName(word) ? word.toLowerCase() : word),
      ),
  },
  mysql: {
    quoteName: quoteMysqlName,
    quoteText: (text) => quoteText(text.replaceAll('\\', '\\\\')),
    printName: (name) => printName(name, RESERVED_MYSQL, quoteMysqlName),
  },
} as const satisfies Readonly<Record<string, SqlDialect>>;

function printName(name: string, reserved: ReadonlySet<string>, quote: (name: string) => string): string {
  return isPlainName(name) && !reserved.has(name.toLowerCase()) ? name : quote(name);
}
