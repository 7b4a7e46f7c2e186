import path from 'node:path';
import { elementAt } from '../../invariants/must.ts';
import { readVariable } from '../../settings/read-settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { RestoreReport } from '../../workspace/backup/restore-home.ts';
import { withHomeFiles } from '../actions/with-home-files.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printQuantity } from '../context/print-quantity.ts';
import { checkInput, isDescriptor, sourceName } from '../options/open-input.ts';
import { printAmounts } from '../print/print-amounts.ts';
import type { RunCommand } from '../table/commands.ts';
import { askWhether, canAsk } from '../terminal/prompts.ts';

/** `quern admin restore`: restores a home from a backup atomically. */
export const run: RunCommand<'admin restore'> = (context, { args, options }) =>
  withHomeFiles(context, async (home) => {
    const { restoreHome } = await import('../../workspace/backup/restore-home.ts');
    const report = await restoreHome(
      {
        archive: findArchive(context, elementAt(args, 0)),
        home,
        replace: options.force,
        endTokens: async (count) => options.endTokens || askToEndTokens(context, count),
        masterKey: readVariable(SETTINGS.masterKey, context.env),
        onExit: context.onExit,
      },
      context.signal,
    );
    if (options.json) await context.stdout.write(`${JSON.stringify(report)}\n`);
    else await print(context, report);
    return EXIT.done;
  });

/** Without a terminal tokens stay valid, because programs may use them. */
async function askToEndTokens(context: CliContext, count: number): Promise<boolean> {
  if (!canAsk(context)) return false;
  const tokens = count === 1 ? 'the personal access token' : `all ${count} personal access tokens`;
  const question = `End ${tokens} of the backup? Tokens that were revoked after the backup would be valid again.`;
  return askWhether(question, context, true);
}

/** A backup must be a file, because it is read twice: to check it, then to unpack it. */
function findArchive(context: CliContext, name: string): string {
  const isFile = !isDescriptor(name) && checkInput(context, name).isFile();
  if (isFile) return path.resolve(context.cwd, name);
  throw new UsageError(`${sourceName(name)} is not a file: write the backup to a file first`);
}

async function print({ notices }: CliContext, report: RestoreReport): Promise<void> {
  const { home, items, users, connections, databases, files } = report;
  const amounts = printAmounts({ items, users, connections, databases, files });
  if (report.moved_to !== null) await notices.write(`moved the previous home to ${report.moved_to}\n`);
  await notices.write(`restored ${home} as of ${report.created_at}: ${amounts}\n`);
  if (report.sessions_ended > 0) await notices.write('all sessions of the console have ended\n');
  if (report.tokens_ended > 0) {
    await notices.write(`ended ${printQuantity(report.tokens_ended, 'personal access token')}\n`);
  }
  if (report.tokens_kept > 0) {
    await notices.write(
      `${printQuantity(report.tokens_kept, 'personal access token')} of the backup can still be used, even if revoked later: \`--end-tokens\` revokes all\n`,
    );
  }
  if (report.key !== false) return;
  await notices.write(
    `its secrets cannot be read yet: copy their secret.key to ${home} with mode 600, or set ${SETTINGS.masterKey.variable}\n`,
  );
}
