import { duckdbRules } from '../../text/lexical-rules.ts';
import type { ReadRules } from '../contract/connection.ts';
import { findStatementDiagnostic } from './gate/statements.ts';
import { readTokens } from './gate/tokens.ts';

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
  transaction: { begin: 'BEGIN TRANSACTION READ ONLY', commit: 'COMMIT' },
  isRefusal: ({ message }) =>
    /Cannot write to database .* transaction is launched in read-only mode/.test(message),
  storing: null,
};
