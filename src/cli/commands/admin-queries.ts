import type { QueryBody } from '../../workspace/api/workspace-api.ts';
import { explainRefusal } from '../actions/explain-refusal.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readLogRange } from '../options/read-log-range.ts';
import type { RunCommand } from '../table/commands.ts';
import { printColumns } from '../terminal/print-columns.ts';

/** `quern admin queries`: what the server of the home has run, newest first; or whole records. */
export const run: RunCommand<'admin queries'> = async (context, { options }) => {
  const { user, connection, outcome } = options;
  const filter = {
    user,
    connection,
    outcome,
    ...readLogRange(options),
  };
  const data = await withWorkspace(context, ({ queries }) => queries.list(filter).catch(explainRefusal));
  await context.stdout.write(options.json ? `${JSON.stringify({ data })}\n` : printColumns(data.map(toRow)));
  return EXIT.done;
};

function toRow(query: QueryBody): string[] {
  const { requested_at, user, outcome, fault, duration_ms, rows, bytes, connection, name } = query;
  return [
    requested_at,
    user,
    fault === null ? outcome : `${outcome}: ${fault}`,
    `${duration_ms} ms`,
    rows === null ? '-' : `${rows} ${rows === 1 ? 'row' : 'rows'}`,
    `${bytes} B`,
    connection ?? '-',
    name,
  ];
}
