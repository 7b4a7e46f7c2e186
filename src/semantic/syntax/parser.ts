import type { ParseResult } from 'libpg-query';

/** Parses a text of ASCII by PostgreSQL's grammar; throws a ParserError. */
export type Parse = (text: string) => ParseResult;

/** What the parser says of a text, and where, as an offset. */
export class ParserError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = 'ParserError';
    this.offset = offset;
  }
}

let loading: Promise<Parse> | null = null;

/** Loads the parser, once; it takes a few hundredths of a second and some megabytes. */
export function loadParser(): Promise<Parse> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Parse> {
  const { loadModule, parseSync, hasSqlDetails } = await import('libpg-query');
  await loadModule();
  return (text) => {
    try {
      return parseSync(text);
    } catch (error) {
      if (error instanceof RangeError) throw new ParserError('the statement is nested too deeply', 0);
      if (!hasSqlDetails(error)) throw error;
      throw new ParserError(error.message, error.sqlDetails?.cursorPosition ?? 0);
    }
  };
}
