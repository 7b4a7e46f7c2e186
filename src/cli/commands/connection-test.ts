import { elementAt } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { queryValue, VERSION } from '../options/query-value.ts';
import { readTimeout } from '../options/run-options.ts';
import { reportOutcome } from '../print/report-outcome.ts';
import type { RunCommand } from '../table/commands.ts';
import { printAligned } from '../terminal/print-aligned.ts';
import { showProgress } from '../terminal/progress.ts';

/** `quern connection test`: opens a session and prints the version of the database. */
export const run: RunCommand<'connection test'> = async (context, { args, options }) => {
  const connection = elementAt(args, 0);
  const timeoutMs = readTimeout(options);
  const progress = showProgress(context, () => `connecting to ${connection}`);
  const { outcome, value: version } = await withWorkspace(context, (workspace) =>
    queryValue(workspace, { connection, query: VERSION, timeoutMs }, context.signal),
  ).finally(() => progress.end());
  if (outcome.status === 'failed') return reportOutcome(context, outcome);
  const { duration_ms } = outcome.stats;
  const record = { name: connection, version, duration_ms };
  const text = options.json
    ? `${JSON.stringify(record)}\n`
    : printAligned([[connection, version, `${duration_ms} ms`]]);
  await context.stdout.write(text);
  return EXIT.done;
};
