import { finishInPieces } from '../../text/finish-in-pieces.ts';
import { DatabaseError, type Sandbox, type StatementParser } from '../contract/connection.ts';
import { checkAlone } from './execute.ts';
import { UnreadableStatementError } from './gate/errors.ts';
import { openEngine } from './instance/open-engine.ts';
import { MEMORY, readOptions } from './instance/options.ts';

/**
 * Opens a parser in an empty database. DuckDB acts while it extracts some statements, such as IMPORT and PRAGMA, so only
 * statements that the gate accepts reach it; a text that the gate cannot read is an error. Rejects with a DatabaseError.
 */
export async function openParser(sandbox: Sandbox): Promise<StatementParser> {
  const engine = await openEngine(readOptions({ file: MEMORY }, sandbox, 'parser'));
  const { gate } = engine;

  async function isAccepted(statement: string, signal: AbortSignal): Promise<boolean> {
    if (gate === null) return false;
    try {
      await finishInPieces(gate.checkStatement(statement), signal);
      return true;
    } catch (error) {
      if (error instanceof UnreadableStatementError)
        throw new DatabaseError('sql', error.message, error.offset);
      if (error instanceof DatabaseError && error.code === 'gate') return false;
      throw error;
    }
  }

  return {
    async check(statement, signal) {
      if (await isAccepted(statement, signal)) await checkAlone(engine, statement, signal);
    },
    close: () => engine.close(),
  };
}
