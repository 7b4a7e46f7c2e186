import type { QueryBody } from '../../workspace/workspace-api.ts';
import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { explainRefusal } from '../explain-refusal.ts';
import { readLogRange, toText } from '../read-log-range.ts';
import { printColumns } from '../terminal/print-columns.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern admin queries`: what the server of the home has run, newest first; or whole records. */
export const run: RunCommand = async (context, { options }) => {
  const { user, connection, outcome } = options;
  const filter = {
    user: toText(user),
    connection: toText(connection),
    outcome: toText(outcome),
    ...readLogRange(options),
  };
  const data = await withWorkspace(context, ({ queries }) => queries.list(filter).catch(explainRefusal));
  await context.stdout.write(
    options.json === true ? `${JSON.stringify({ data })}\n` : printColumns(data.map(toRow)),
  );
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
