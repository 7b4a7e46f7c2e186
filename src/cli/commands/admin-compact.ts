import { printBytes } from '../../text/print-bytes.ts';
import { readWaiting, sayWaiting } from '../actions/wait-for-server.ts';
import { withHomeFiles } from '../actions/with-home-files.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern admin compact`: copies each database of the home to a new file without free space. */
export const run: RunCommand<'admin compact'> = (context, { options }) =>
  withHomeFiles(context, async (home) => {
    const { compactHome } = await import('../../workspace/backup/compact-home.ts');
    const reports = await compactHome(
      {
        home,
        waitMs: readWaiting(options.wait),
        onWait: (seconds) => sayWaiting(context, seconds),
        onExit: context.onExit,
      },
      context.signal,
    );
    if (options.json) await context.stdout.write(`${JSON.stringify({ data: reports })}\n`);
    else {
      for (const { database, before, after } of reports)
        await context.notices.write(
          `${database}: ${printBytes(before)} before, ${printBytes(after)} after\n`,
        );
    }
    return EXIT.done;
  });
