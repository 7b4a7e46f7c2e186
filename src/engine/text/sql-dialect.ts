import { quoteName, quoteText } from './sql-quote.ts';

/** How one platform writes names and strings. */
export interface SqlDialect {
  readonly quoteName: (name: string) => string;
  readonly quoteText: (text: string) => string;
}

const standard: SqlDialect = { quoteName, quoteText };

/** The dialect of each kind of database that has one here. */
export const SQL_DIALECT = {
  duckdb: standard,
  postgresql: standard,
  mysql: {
    quoteName: (name: string) => `\`${name.replaceAll('`', '``')}\``,
    quoteText: (text: string) => quoteText(text.replaceAll('\\', '\\\\')),
  },
} as const satisfies Readonly<Record<string, SqlDialect>>;
