import type { PlannedTarget } from '../../engine/run/build/plan.ts';
import { namesChanged } from '../../engine/script/graph/select.ts';
import type { RunRequest } from '../../workspace/api/workspace-api.ts';
import { readEvents } from '../actions/read-events.ts';
import { areInCatalog } from '../actions/with-scripts.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { explainCallError } from '../context/explain-call-error.ts';
import { printQuantity } from '../context/print-quantity.ts';
import { readRunOptions, readTimeout } from '../options/run-options.ts';
import { NOTHING_CHANGED } from '../print/print-build.ts';
import { printWarnings } from '../print/print-warnings.ts';
import { reportOutcome } from '../print/report-outcome.ts';
import type { OptionsOf, RunCommand } from '../table/commands.ts';

/** `quern plan`: shows what a build would publish, without running it (docs/reference/plan.md). */
export const run: RunCommand<'plan'> = async (context, { args, options }) => {
  if (options.offline && namesChanged([...args, ...options.exclude])) {
    throw new UsageError('only a database knows what is `changed`: leave out --offline');
  }
  const request = await readRequest(context, args, options);
  const targets: PlannedTarget[] = [];
  const sink = readEvents<PlannedTarget>(async (target) => void targets.push(target));
  const outcome = await withWorkspace(context, (workspace) =>
    workspace.run(request, sink, context.signal).catch(explainCallError),
  );
  await printWarnings(context, outcome.warnings);
  if (outcome.status === 'failed') return reportOutcome(context, outcome);
  if (targets.length === 0 && !namesChanged(args)) {
    throw new UsageError('nothing to build: the selected blocks have no `:publication`');
  }
  if (options.json) await context.stdout.write(`${JSON.stringify({ targets }, null, 2)}\n`);
  else await context.stdout.write(`${targets.map(printPlanned).join('')}${printTotal(targets)}`);
  return EXIT.done;
};

function printPlanned({ name, action, type, reason, changes, unknown }: PlannedTarget): string {
  const lines = [...changes, ...(unknown === null ? [] : [unknown])];
  return [`${action ?? type} ${name} (${reason})`, ...lines.map((line) => `  ${line}`)]
    .join('\n')
    .concat('\n');
}

function printTotal(targets: readonly PlannedTarget[]): string {
  return targets.length === 0 ? NOTHING_CHANGED : `${printQuantity(targets.length, 'target')}\n`;
}

async function readRequest(
  context: CliContext,
  args: readonly string[],
  options: OptionsOf<'plan'>,
): Promise<RunRequest> {
  const { exclude, fullRefresh, offline, project } = options;
  return {
    target: {
      kind: 'build',
      mode: offline ? 'offline' : 'plan',
      include: args,
      exclude,
      parallel: 1,
      failFast: false,
      fullRefresh,
      disk: areInCatalog(args) ? null : { cwd: context.cwd, projects: project },
    },
    ...(await readRunOptions(context, options)),
    defer: options.defer,
    format: 'json',
    timeoutMs: readTimeout(options),
  };
}
