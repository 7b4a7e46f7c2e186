import type { ParseResult } from 'libpg-query';

/** Parses ASCII text with PostgreSQL's grammar; throws a ParserError. */
export type Parse = (text: string) => ParseResult;

/** An error of the parser with its offset. */
export class ParserError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = 'ParserError';
    this.offset = offset;
  }
}

let loading: Promise<Parse> | null = null;

/** Loads the parser once; it takes some 10 ms and a few megabytes. */
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
