import { findDataFormat, printLoad } from '../engine/run/load-files.ts';
import type { ExecutionOutcome } from '../execution/outcome.ts';
import type { LoadOutcome, LoadRequest } from './workspace-api.ts';

export { findDataFormat };

/** Runs a text and gives the bytes of its JSON answer to `write`. */
export type RunText = (text: string, write: (bytes: Uint8Array) => void) => Promise<ExecutionOutcome>;

interface ColumnsAnswer {
  readonly result: { readonly data: readonly (readonly [string, string, number])[] };
}

/** Loads data files into a table and reads back what was made. */
export async function loadTable(request: LoadRequest, run: RunText): Promise<LoadOutcome> {
  const parts: Uint8Array[] = [];
  const outcome = await run(printLoad(request), (bytes) => parts.push(bytes));
  // The places are in a text of ours, which would tell the user nothing.
  if (outcome.status === 'failed') return { ...outcome, fault: { ...outcome.fault, diagnostics: [] } };
  const answer: ColumnsAnswer = JSON.parse(Buffer.concat(parts).toString('utf8'));
  const columns = answer.result.data.map(([name, type]) => ({ name, type }));
  return { status: 'done', rows: answer.result.data[0]?.[2] ?? 0, columns };
}
