import type { RunningBody } from '../../workspace/api/workspace-api.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';
import { printColumns } from '../terminal/print-columns.ts';

/** `quern ps`: what runs and waits on the server of the home; or whole records. */
export const run: RunCommand<'ps'> = async (context, { options }) => {
  const { stdout, notices } = context;
  const found = await withWorkspace(context, ({ executions }) => executions.list());
  if (found === null) await notices.write('no server runs on this home\n');
  const data = found ?? [];
  await stdout.write(options.json ? `${JSON.stringify({ data })}\n` : printColumns(data.map(toRow)));
  return EXIT.done;
};

function toRow({ id, state, user, connection, name, started_at, bytes }: RunningBody): string[] {
  return [id, state, user, connection ?? '-', name, started_at ?? '-', `${bytes} bytes`];
}
