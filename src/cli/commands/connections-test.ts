import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { queryValue, VERSION } from '../query-value.ts';
import { reportOutcome } from '../report-outcome.ts';
import { readTimeout } from '../run-options.ts';
import { printColumns } from '../terminal/print-columns.ts';
import { showProgress } from '../terminal/progress.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern connections test`: opens a session and asks the database for its version. */
export const run: RunCommand = async (context, { args, options }) => {
  const connection = args[0]!;
  const timeoutMs = readTimeout(options);
  const progress = showProgress(context, () => `connecting to ${connection}`);
  const { outcome, value: version } = await withWorkspace(context, (workspace) =>
    queryValue(workspace, { connection, query: VERSION, timeoutMs }, context.signal),
  ).finally(() => progress.end());
  if (outcome.status === 'failed') return reportOutcome(context, outcome);
  const { duration_ms } = outcome.stats;
  const record = { name: connection, version, duration_ms };
  const text =
    options.json === true
      ? `${JSON.stringify(record)}\n`
      : printColumns([[connection, version, `${duration_ms} ms`]]);
  await context.stdout.write(text);
  return EXIT.done;
};
