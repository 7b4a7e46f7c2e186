import type { LoadRequest } from '../api/workspace-api.ts';
import type { PreparedInputs } from './prepare-inputs.ts';

/** The data to load into one table, and how to read its files. */
export interface TableToLoad extends Omit<LoadRequest, 'tables' | 'format'>, PreparedInputs {
  /** `name` or `schema.name`. */
  readonly table: string;
}

/** Runs a generated query and resolves with its rows. Rejects with a FailedRun. */
export type RunQuery = <Row>(text: string) => Promise<readonly Row[]>;
