import {
  type Connection,
  DatabaseError,
  type StatementResult,
} from '../../connection/contract/connection.ts';
import type { Interruptible } from '../../text/interruptible.ts';

/** What happens around the statements of a session. */
interface Watch {
  /** Why a statement may not run, with advice; null for one that may. */
  readonly refuse: (statement: string) => string | null;
  /** Called when a statement has succeeded, or has its first rows. */
  readonly note: (statement: string, result: StatementResult) => void;
}

/** Returns a session whose statements are watched. Refused statements reject with a DatabaseError `refused`. */
export function createWatchedConnection(connection: Connection, { refuse, note }: Watch): Connection {
  return {
    get inTransaction() {
      return connection.inTransaction;
    },
    async run(statement, signal, input) {
      const result = await connection.run(statement, signal, input);
      note(statement, result);
      return result;
    },
    *checkStatement(statement): Interruptible<void> {
      const refusal = refuse(statement);
      if (refusal !== null) throw new DatabaseError('refused', refusal);
      if (connection.checkStatement !== undefined) yield* connection.checkStatement(statement);
    },
    exportParquet: (query, file, maxRows, signal) => connection.exportParquet(query, file, maxRows, signal),
    relations: connection.relations,
    publishing: connection.publishing,
    readState: () => connection.readState(),
    close: () => connection.close(),
  };
}
