import type { ScriptOutcome } from '../../workspace/api/scripts-api.ts';
import { ScriptError, UsageError } from '../context/errors.ts';

/** What came of a question about texts. Throws a UsageError, and a ScriptError for texts with faults. */
export function unpackOutcome<T>(outcome: ScriptOutcome<T>): T {
  if (outcome.status === 'done') return outcome.value;
  if (outcome.code === 'usage') throw new UsageError(outcome.message);
  throw new ScriptError(outcome.message, outcome.diagnostics);
}
