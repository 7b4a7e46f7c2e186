import { duckdbRules } from '../../text/lexical-rules.ts';
import type { ReadRules } from '../contract/connection.ts';
import { findStatementDiagnostic } from './gate/statements.ts';
import { readTokens } from './gate/tokens.ts';

/** The statements around each statement of a session that only reads. */
export const READING_TRANSACTION = {
  begin: 'BEGIN TRANSACTION READ ONLY',
  // Not the text of a user, whose transaction may have changed something.
  commit: 'COMMIT TRANSACTION /* that only reads */',
} as const;

/**
 * READ on DuckDB: the statements that the gate of a server lets through. Each runs in a transaction that writes nothing
 * but temporary objects.
 */
export const duckdbReadRules: ReadRules = {
  lexicalRules: duckdbRules,
  *find(statement) {
    const { tokens } = yield* readTokens(statement);
    const diagnostic = yield* findStatementDiagnostic(tokens);
    if (diagnostic === null) return null;
    const kind = /^[a-z]+/i.exec(statement.slice(diagnostic.offset))?.[0] ?? ';';
    return { kind: kind.toUpperCase(), offset: diagnostic.offset };
  },
  transaction: READING_TRANSACTION,
  isRefusal: ({ message }) =>
    /Cannot write to database .* transaction is launched in read-only mode/.test(message),
  storing: null,
};
