import { DatabaseError } from './connection.ts';

/** A column that a Parquet file cannot hold. */
export class UnwritableError extends DatabaseError {
  constructor(column: string, problem: string, cause?: Error) {
    super('sql', `The column "${column}" cannot be written as parquet: ${problem}`, undefined, { cause });
  }
}
