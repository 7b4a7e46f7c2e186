import type { ScriptOutcome } from '../../workspace/api/scripts-api.ts';
import { ScriptError, UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';

/** The value of an outcome. Throws a UsageError, or a ScriptError for scripts with errors. */
export function unpackOutcome<T>(outcome: ScriptOutcome<T>): T {
  if (outcome.status === 'done') return outcome.value;
  if (outcome.code === 'usage') throw new UsageError(outcome.message);
  if (outcome.code === 'missing') throw new UsageError(outcome.message, EXIT.failed);
  throw new ScriptError(outcome.message, outcome.diagnostics);
}
