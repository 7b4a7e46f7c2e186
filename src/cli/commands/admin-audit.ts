import type { AuditEntry } from '../../workspace/accounts-api.ts';
import type { OptionValue, RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { explainRefusal } from '../explain-refusal.ts';
import { readTime } from '../read-time.ts';
import { printColumns } from '../terminal/print-columns.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern admin audit`: who did what to whom, newest first; or whole records. */
export const run: RunCommand = async (context, { options }) => {
  const { actor, action, object, since, until, limit } = options;
  const now = new Date();
  const filter = {
    actor: toText(actor),
    action: toText(action),
    object: toText(object),
    since: typeof since === 'string' ? readTime('--since', since, now) : undefined,
    until: typeof until === 'string' ? readTime('--until', until, now) : undefined,
    limit: typeof limit === 'number' ? limit : undefined,
  };
  const data = await withWorkspace(context, ({ accounts }) =>
    accounts.audit.list(filter).catch(explainRefusal),
  );
  await context.stdout.write(
    options.json === true ? `${JSON.stringify({ data })}\n` : printColumns(data.map(toRow)),
  );
  return EXIT.done;
};

function toText(value: OptionValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function toRow({ at, actor, action, object, result, address }: AuditEntry): string[] {
  return [at, actor ?? '-', action, result, object ?? '', address ?? ''];
}
