import type { AuditEntry } from '../../workspace/api/accounts-api.ts';
import { explainRefusal } from '../actions/explain-refusal.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readLogRange } from '../options/read-log-range.ts';
import type { RunCommand } from '../table/commands.ts';
import { printColumns } from '../terminal/print-columns.ts';

/** `quern admin audit`: who did what to whom, newest first; or whole records. */
export const run: RunCommand<'admin audit'> = async (context, { options }) => {
  const { actor, action, object } = options;
  const filter = {
    actor,
    action,
    object,
    ...readLogRange(options),
  };
  const data = await withWorkspace(context, ({ accounts }) =>
    accounts.audit.list(filter).catch(explainRefusal),
  );
  await context.stdout.write(options.json ? `${JSON.stringify({ data })}\n` : printColumns(data.map(toRow)));
  return EXIT.done;
};

function toRow({ at, actor, action, object, result, address }: AuditEntry): string[] {
  return [at, actor ?? '-', action, result, object ?? '', address ?? ''];
}
