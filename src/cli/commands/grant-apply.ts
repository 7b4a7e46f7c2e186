import type { GrantChangesBody, GrantEffectsBody } from '../../identity/grants/grant-changes-body.ts';
import { elementAt } from '../../invariants/must.ts';
import { printCount } from '../../invariants/print-count.ts';
import { readGrantChanges } from '../../server/manage/read-grant-changes.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readJsonInput } from '../options/read-json-input.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern grant apply`: applies the changes of a file, or says who would gain and lose what. */
export const run: RunCommand<'grant apply'> = async (context, { args, options }) => {
  const { dryRun, etag, json } = options;
  if (dryRun && etag !== undefined) throw new UsageError('use either --dry-run or --etag');
  const body = await readJsonInput(context, elementAt(args, 0));
  const result = await withWorkspace(context, ({ accounts: { grants }, principal }) => {
    const changes = readGrantChanges(body);
    return dryRun ? grants.previewChanges(principal, changes) : grants.applyChanges(principal, changes, etag);
  }).catch(explainError);
  if (json) await context.stdout.write(`${JSON.stringify(result)}\n`);
  else await printResult(context, result);
  return EXIT.done;
};

async function printResult(
  { stdout, notices }: CliContext,
  { changed, effects, etag }: GrantChangesBody,
): Promise<void> {
  const changes = changed === 1 ? '1 change' : `${printCount(changed)} changes`;
  if (effects === undefined) {
    await notices.write(`applied ${changes}\n`);
    return;
  }
  for (const effect of effects.data) await stdout.write(`${printEffect(effect)}\n`);
  const { gains, losses, data } = effects;
  const rest = gains + losses - data.length;
  if (rest > 0) await stdout.write(`${printCount(rest)} more that are not named\n`);
  const total = `gains ${printCount(gains)}, losses ${printCount(losses)}`;
  await stdout.flush();
  await notices.write(`${changes}, ${total}; nothing was applied (etag ${etag})\n`);
}

const RANKS = ['NONE', 'VIEW', 'READ', 'EDIT', 'USE', 'MANAGE'];

function printEffect({ user, target, before, after }: GrantEffectsBody['data'][number]): string {
  const isGain = RANKS.indexOf(after) > RANKS.indexOf(before);
  const what = isGain ? `gains ${after}` : `loses ${before}`;
  return `${user} ${what} on ${target} (${isGain ? `had ${before}` : `keeps ${after}`})`;
}
