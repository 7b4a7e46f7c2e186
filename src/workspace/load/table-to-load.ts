import type { LoadRequest } from '../api/workspace-api.ts';
import type { PreparedInputs } from './prepare-inputs.ts';

/** The data to load into one table, and how to read its files. */
export type TableToLoad = Omit<LoadRequest, 'inputs' | 'format'> & PreparedInputs;

/** Runs a generated query and resolves with its rows. Rejects with an error that `loadTable` converts to an outcome. */
export type RunQuery = <Row>(text: string) => Promise<readonly Row[]>;
