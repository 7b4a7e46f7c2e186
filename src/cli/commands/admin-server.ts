import { printCount } from '../../invariants/print-count.ts';
import { printBytes } from '../../text/print-bytes.ts';
import type { ServerLimitBody, ServerStatusBody } from '../../workspace/api/status-body.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printTimeFor } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';
import { printAligned } from '../terminal/print-aligned.ts';

/** `quern admin server`: shows the state of the home and of its server; exits with 1 if a part has failed. */
export const run: RunCommand<'admin server'> = (context, { options }) =>
  withWorkspace(context, async ({ readStatus, principal }) => {
    const status = await readStatus(principal);
    if (options.json) await context.stdout.write(`${JSON.stringify(status)}\n`);
    else await print(context, status, options.utc);
    return status.health.some(({ state }) => state === 'failed') ? EXIT.failed : EXIT.done;
  });

async function print(context: CliContext, status: ServerStatusBody, utc: boolean): Promise<void> {
  const { version, started_at, address, health, sizes, limits } = status;
  const printTime = printTimeFor(context, utc);
  const since =
    started_at === null ? 'no server runs on this home' : `running since ${printTime(started_at)}`;
  const rows = [
    ['server', 'version', version],
    ['server', 'state', since],
    ...(address === null ? [] : [['server', 'address', address]]),
    ...health.map(({ part, state, reasons }) => ['health', part, [state, ...reasons].join(': ')]),
    ...Object.entries(sizes).map(([name, bytes]) => ['size', name.replaceAll('_', ' '), printBytes(bytes)]),
    ...limits.map((limit) => ['limit', printName(limit), printUse(limit)]),
  ];
  await context.stdout.write(printAligned(rows));
}

function printName({ limit, object }: ServerLimitBody): string {
  const name = limit.replaceAll('_', ' ');
  return object === null ? name : `${name} of ${object}`;
}

function printUse({ limit, used, max, setting }: ServerLimitBody): string {
  const print = limit === 'database_bytes' ? printBytes : printCount;
  const most = max === null ? 'no limit' : `of ${print(max)}`;
  return `${used === null ? 'unknown' : print(used)} ${most} (${setting})`;
}
