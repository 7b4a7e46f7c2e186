// One scanner reads the SQL of all databases, to find its statements, strings, names and comments. What differs
// between databases is a table of rules here. The scanner accepts any text: it finds, and never refuses.

/** The lexical rules of one family of databases, as plain data for the scanner. */
export interface LexicalRules {
  /** Characters that separate words, in addition to those of ASCII. */
  readonly spaces: string;
  /** `/*` inside a block comment opens another. */
  readonly nestedComments: boolean;
  /** `/*!` does not open a comment: its content is executed. */
  readonly conditionalComments: boolean;
  /** `#` begins a line comment. */
  readonly hashComments: boolean;
  /** `--` begins a comment only before a space, a control character or the end. */
  readonly spacedDashes: boolean;
  /** A lone `\r` ends a line comment. */
  readonly returnEndsLine: boolean;
  /** A backslash escapes in every string. */
  readonly backslashEscapes: boolean;
  /** `E'…'` is a string in which a backslash escapes. */
  readonly escapeStrings: boolean;
  /** `$$…$$` and `$tag$…$tag$` are strings. */
  readonly dollarQuotes: boolean;
  /** A word may begin with `$`. */
  readonly dollarWords: boolean;
  readonly doubleQuotes: 'name' | 'string';
  /** Names can be quoted with backticks. */
  readonly backtickNames: boolean;
  /** Names can be quoted with brackets. */
  readonly bracketNames: boolean;
  /** `?` is a parameter that a client binds. */
  readonly questionParameters: boolean;
  /**
   * Which routines have statements in them: those with `BEGIN ATOMIC … END` of PostgreSQL, the blocks, loops and
   * conditions of MariaDB, or these in functions only, which a query can declare too (`WITH FUNCTION …`).
   */
  readonly routines: 'atomic' | 'blocks' | 'functions';
}

/** PostgreSQL, with its default `standard_conforming_strings`. */
export const postgresqlRules: LexicalRules = {
  spaces: '',
  nestedComments: true,
  conditionalComments: false,
  hashComments: false,
  spacedDashes: false,
  returnEndsLine: true,
  backslashEscapes: false,
  escapeStrings: true,
  dollarQuotes: true,
  dollarWords: false,
  doubleQuotes: 'name',
  backtickNames: false,
  bracketNames: false,
  questionParameters: false,
  routines: 'atomic',
};

/** DuckDB: as PostgreSQL, with Unicode spaces (but neither U+0085 nor U+2028) and `?`. */
export const duckdbRules: LexicalRules = {
  ...postgresqlRules,
  spaces:
    '\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u2060\u3000\ufeff',
  questionParameters: true,
};

/** MySQL in its default mode, with neither ANSI_QUOTES nor NO_BACKSLASH_ESCAPES. */
export const mysqlRules: LexicalRules = {
  spaces: '\v',
  nestedComments: false,
  conditionalComments: true,
  hashComments: true,
  spacedDashes: true,
  returnEndsLine: false,
  backslashEscapes: true,
  escapeStrings: false,
  dollarQuotes: false,
  dollarWords: true,
  doubleQuotes: 'string',
  backtickNames: true,
  bracketNames: false,
  questionParameters: true,
  routines: 'blocks',
};

/** Trino; it reads `?` as a parameter, but also in the patterns of MATCH_RECOGNIZE. */
export const trinoRules: LexicalRules = {
  ...postgresqlRules,
  nestedComments: false,
  escapeStrings: false,
  routines: 'functions',
};

/** The lexical rules of each kind of database. */
export const LEXICAL_RULES = {
  duckdb: duckdbRules,
  postgresql: postgresqlRules,
  mysql: mysqlRules,
  trino: trinoRules,
} as const;
