import { toTypeName } from '../../workspace/api/type-names.ts';
import type { ExecutionBody, Recording } from '../../workspace/runs/executions.ts';
import { printExecution } from './print-execution.ts';

/** The version of a recording: it differs after each change. */
export function printVersion({ results, state }: Recording): string {
  return `${results.version}-${state}`;
}

/** The recorded results of an execution in responses. */
export function printRecording(execution: ExecutionBody, recording: Recording) {
  const { results, published, warnings, tests } = recording;
  return {
    execution: printExecution(execution),
    version: printVersion(recording),
    observed_at: new Date().toISOString(),
    data: results.list().map((result, index) => ({
      index,
      kind: result.kind,
      statement: result.statement,
      columns: result.columns.map(({ name, type }) => ({ name, type: toTypeName(type) })),
      rows: result.rows,
      bytes: result.bytes,
      is_complete: result.isComplete,
      is_truncated: result.isTruncated,
      started_at: result.startedAt,
      ended_at: result.endedAt,
    })),
    omitted: results.omitted,
    published,
    warnings,
    tests,
  };
}
