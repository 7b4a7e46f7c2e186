import { elementAt } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readNewSettings } from '../options/read-connection.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern connection set`: changes some settings of a connection; the others stay. */
export const run: RunCommand<'connection set'> = async (context, { args, options }) => {
  const { ifMatch, json, unset } = options;
  const body = await withWorkspace(context, async ({ connections, principal }) => {
    const kinds = connections.listKinds();
    const { name, kind, revision } = connections.get(principal, elementAt(args, 0));
    const fields = await readNewSettings(context, { ...options, kind }, kinds);
    const known = kinds.find((one) => one.kind === kind)?.options ?? [];
    const isSecret = (key: string) => known.some((option) => option.name === key && option.secret);
    const twice = unset.find((key) => key in { ...fields.options, ...fields.secrets });
    if (twice !== undefined) throw new UsageError(`--unset ${twice} contradicts its new value`);
    const removed = (secret: boolean) =>
      Object.fromEntries(unset.filter((key) => isSecret(key) === secret).map((key) => [key, null]));
    const changes = {
      ...fields,
      options: { ...fields.options, ...removed(false) },
      secrets: { ...fields.secrets, ...removed(true) },
    };
    return connections.change(principal, name, ifMatch ?? String(revision), changes, context.cwd);
  });
  if (json) await context.stdout.write(`${JSON.stringify(body)}\n`);
  else await context.notices.write(`stored the connection ${body.name} (revision ${body.revision})\n`);
  return EXIT.done;
};
