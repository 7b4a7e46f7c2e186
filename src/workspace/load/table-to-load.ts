import type { LoadRequest } from '../api/workspace-api.ts';
import type { PreparedInputs } from './prepare-inputs.ts';

/** What is loaded into one table, and how its files are read. */
export type TableToLoad = Omit<LoadRequest, 'inputs' | 'format'> & PreparedInputs;

/** Runs a query of ours and resolves with its rows. Rejects with what `loadTable` makes an outcome of. */
export type Query = <Row>(text: string) => Promise<readonly Row[]>;
