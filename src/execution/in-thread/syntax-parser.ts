import {
  DatabaseError,
  type Driver,
  type StatementParser,
} from '../../engine/connection/contract/connection.ts';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import type { ExecutionRequest } from '../contract/request.ts';

/** A parser for the statements of a connection, which opens at the first one. */
interface SyntaxParser {
  /** Rejects with a DatabaseError of code `sql` for a statement that cannot be parsed. */
  parse(statement: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Parses as the connection of a request does, as far as that is possible without a session; other SQL is accepted. */
export function createSyntaxParser(
  { connection: { sandbox }, semantic }: Pick<ExecutionRequest, 'connection' | 'semantic'>,
  { translate, openParser }: Pick<Driver, 'openParser'> & { readonly translate: Translate | undefined },
): SyntaxParser {
  let opened: Promise<StatementParser> | null = null;
  return {
    async parse(statement, signal) {
      if (semantic !== undefined) return parseSemantic(statement, translate, signal);
      if (openParser === undefined || sandbox === undefined) return;
      opened ??= openParser(sandbox);
      await (await opened).check(statement, signal);
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

/** Parses Semantic SQL. Rejects with a DatabaseError of code `sql`. */
async function parseSemantic(
  statement: string,
  translate: Translate | undefined,
  signal: AbortSignal,
): Promise<void> {
  const translation = await translate?.(statement, signal);
  if (translation?.status !== 'refused' || translation.isSyntax !== true) return;
  const { message, span } = translation;
  throw new DatabaseError('sql', message, span.start, { length: span.end - span.start });
}
