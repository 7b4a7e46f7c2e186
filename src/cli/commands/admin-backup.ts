import path from 'node:path';
import { elementAt } from '../../invariants/must.ts';
import { SETTINGS } from '../../settings/table.ts';
import { printBytes } from '../../text/print-bytes.ts';
import type { BackupReport } from '../../workspace/backup/backup-home.ts';
import { readWaiting, sayWaiting } from '../actions/wait-for-server.ts';
import { withHomeFiles } from '../actions/with-home-files.ts';
import type { CliContext } from '../context/context.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printAmounts } from '../print/print-amounts.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern admin backup`: writes the complete home into one file, while others use it. */
export const run: RunCommand<'admin backup'> = (context, { args, options }) =>
  withHomeFiles(context, async (home) => {
    const { homeAt } = await import('../../workspace/home/home.ts');
    const { backupHome } = await import('../../workspace/backup/backup-home.ts');
    const { withFilesHeld } = await import('../../workspace/backup/with-files-held.ts');
    const waitMs = readWaiting(options.wait);
    const onWait = (seconds: number) => sayWaiting(context, seconds);
    const report = await backupHome(
      {
        home,
        target: path.resolve(context.cwd, elementAt(args, 0)),
        replace: options.force,
        withKey: options.withKey,
        holdFiles: (work, signal) => withFilesHeld({ home: homeAt(home), waitMs, onWait, signal }, work),
        onExit: context.onExit,
      },
      context.signal,
    );
    if (options.json) await context.stdout.write(`${JSON.stringify(report)}\n`);
    else await print(context, report);
    return EXIT.done;
  });

async function print({ stderr, notices }: CliContext, report: BackupReport): Promise<void> {
  const { target, bytes, items, users, connections, databases, files } = report;
  const amounts = printAmounts({ items, users, connections, databases, files });
  for (const name of report.left_out)
    await stderr.write(`left out ${name}: a backup holds only regular files\n`);
  await notices.write(`wrote ${target} (${printBytes(bytes)}): ${amounts}\n`);
  if (report.with_key) await stderr.write('it contains the key of the secrets: store it safely\n');
  if (report.needs_key) {
    await notices.write(
      `it does not contain the key of the secrets: keep secret.key or ${SETTINGS.masterKey.variable} elsewhere\n`,
    );
  }
}
