import { DatabaseError } from './connection.ts';

/** A column that a file cannot hold, of Parquet unless `form` says more. */
export class UnwritableError extends DatabaseError {
  constructor(
    column: string,
    problem: string,
    { cause, form = 'parquet' }: { cause?: Error; form?: string } = {},
  ) {
    super('sql', `The column "${column}" cannot be written as ${form}: ${problem}`, undefined, { cause });
  }
}
