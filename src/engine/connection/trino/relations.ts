import { DatabaseError, type Relations } from '../contract/connection.ts';
import type { Run } from '../contract/run-inner.ts';
import type { TrinoState } from './session-state.ts';

/** What stored relations need of their session. */
export interface RelationsOptions {
  readonly run: Run;
  /** Runs a statement at the same time as one of the session. */
  readonly aside: Run;
  readonly state: TrinoState;
}

/** Trino has no temporary tables. */
export interface TrinoRelations extends Relations {
  /** Drops what the session has stored; never rejects. */
  end(): Promise<void>;
}

export function createRelations(_options: RelationsOptions): TrinoRelations {
  return {
    end: async () => {},
    isRepeatable: async () => false,
    nulls: null,
    createTable: async () => {
      throw new DatabaseError(
        'sql',
        'Trino has no temporary tables to keep the rows of a block in: write it as a part of the statement (WITH).',
      );
    },
    createView: null,
    canHoldOnce: false,
    listTemporary: async () => [],
    dropTemporary: async () => {},
  };
}
