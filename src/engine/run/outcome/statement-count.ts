/** How many statements of an execution took effect, and how many after them were rolled back, in the order of the run. */
export interface StatementTally {
  readonly done: number;
  /** Statements of a transaction that the end of the execution rolls back. */
  readonly rolledBack: number;
}

/** Counts the statements of one execution. */
export interface StatementCount {
  /** Counts a statement that has succeeded; `inTransaction`: a transaction is open after it. */
  add(inTransaction: boolean): void;
  /** The counts if the execution ended now. */
  read(): StatementTally;
}

/** Creates a count of zero. */
export function createStatementCount(): StatementCount {
  let done = 0;
  let open = 0;
  return {
    add(inTransaction) {
      open += 1;
      if (inTransaction) return;
      done += open;
      open = 0;
    },
    read: () => ({ done, rolledBack: open }),
  };
}
