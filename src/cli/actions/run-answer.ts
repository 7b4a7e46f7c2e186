import type { FormatName } from '../../engine/result/formats.ts';
import type { Lasting } from '../../execution/contract/lasting.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { printCount } from '../../invariants/print-count.ts';
import type { Target } from '../../workspace/api/target.ts';
import type { RunRequest } from '../../workspace/api/workspace-api.ts';
import type { SessionPlace } from '../../workspace/instance/session-place.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import type { ExitCode } from '../context/exit-codes.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readFormat, readNumbers, readRunOptions, readTimeout } from '../options/run-options.ts';
import { printTargetLine } from '../print/print-target.ts';
import { printWarnings } from '../print/print-warnings.ts';
import { reportOutcome } from '../print/report-outcome.ts';
import { printTests } from '../reporters/list.ts';
import type { OptionsOf } from '../table/commands.ts';
import type { AnswerOptions, RunOptions } from '../table/shared-options.ts';
import { type OutputFile, openOutputFile } from '../terminal/output-file.ts';
import { findPager, openPager } from '../terminal/pager.ts';
import { showProgress } from '../terminal/progress.ts';
import { checkUnrestricted } from './check-unrestricted.ts';
import { withWorkspace } from './with-workspace.ts';

const TABLE_ROWS = 100;
/** Formats of lines with separators. */
const SEPARATED: readonly FormatName[] = ['csv', 'tsv'];
/** Formats whose results can follow each other. */
const JOINABLE: readonly FormatName[] = [...SEPARATED, 'table', 'markdown'];

/** Options of a result that a session does not have. */
type Optional = Partial<Pick<AnswerOptions, 'json' | 'header' | 'bom' | 'escapeFormulas'>>;

/** A run of an interactive session. */
export interface InteractiveRun {
  readonly place: SessionPlace;
  readonly lasting: Lasting;
  /** What separates the result from the previous one of the same text; called before its first byte. */
  readonly separate: () => string;
  /** Receives the outcome before it is reported. */
  readonly note: (outcome: ExecutionOutcome) => Promise<void>;
}

/** Runs a script or SQL with the common options of `exec` and `sql`, and writes its result. */
export async function runAnswer(
  context: CliContext,
  target: Target,
  options: Omit<RunOptions, keyof Optional> & Optional & Partial<Pick<OptionsOf<'exec'>, 'env'>>,
  interactive?: InteractiveRun,
): Promise<ExitCode> {
  const settings = await readRunOptions(context, options);
  const { limit, unrestricted } = options;
  return answerRequest(
    context,
    {
      target,
      ...settings,
      maxRows: limit,
      unrestricted,
      lasting: interactive?.lasting,
      ...readAnswerOptions(context, options),
    },
    options,
    interactive,
  );
}

/** Reads the options of the result and of the time limit. */
export function readAnswerOptions(
  context: CliContext,
  options: Omit<AnswerOptions, keyof Optional> & Optional,
): Pick<RunRequest, 'format' | 'encoder' | 'timeoutMs'> {
  const format = readFormat(context, options);
  const { header = true, bom = false, escapeFormulas = false } = options;
  if (!(header || SEPARATED.includes(format))) {
    throw new UsageError(`--no-header has no effect on ${format}: use --format csv or tsv`);
  }
  if (format !== 'csv') refuseCsvOptions(format, { bom, escapeFormulas });
  return {
    format,
    encoder: {
      tableRows: TABLE_ROWS,
      numbers: readNumbers(options.numbers),
      expanded: options.expanded,
      header,
      bom,
      escapeFormulas,
    },
    timeoutMs: readTimeout(options),
  };
}

type CsvOptions = Required<Pick<Optional, 'bom' | 'escapeFormulas'>>;

/** Throws a UsageError if an option of csv is given. */
function refuseCsvOptions(format: FormatName, { bom, escapeFormulas }: CsvOptions): void {
  const given = bom ? '--bom' : '--escape-formulas';
  if (bom || escapeFormulas) throw new UsageError(`${given} has no effect on ${format}: use --format csv`);
}

/** Runs the request, and writes its results to standard output, or the first of them to the file of `--output`. */
export async function answerRequest(
  context: CliContext,
  request: RunRequest,
  options: Pick<AnswerOptions, 'output' | 'pager'>,
  interactive?: InteractiveRun,
): Promise<ExitCode> {
  const { output } = options;
  if (output === undefined) {
    const sendsAll = JOINABLE.includes(request.format);
    return sendToStdout(context, { ...request, sendsAll }, options, interactive);
  }
  const file = await openOutputFile(output, context.cwd);
  const forget = context.onExit(() => file.discard());
  try {
    const { code, isComplete } = await send(context, request, file);
    if (isComplete) await file.keep();
    return code;
  } finally {
    file.discard();
    forget();
  }
}

/** Pages a table on a terminal; without a pager, the table is cut to the width of the terminal. */
async function sendToStdout(
  context: CliContext,
  request: RunRequest,
  options: Pick<AnswerOptions, 'pager'>,
  interactive: InteractiveRun | undefined,
): Promise<ExitCode> {
  const { stdout } = context;
  const command = request.format === 'table' && options.pager ? findPager(context) : null;
  if (command === null) {
    const cut = stdout.isTerminal ? { encoder: { ...request.encoder, width: stdout.width } } : {};
    return (await send(context, { ...request, ...cut }, stdout, interactive)).code;
  }
  const pager = openPager(command, context);
  const { code } = await send(context, request, pager, interactive);
  await pager.end();
  return code;
}

/** The end of a run; `isComplete`: its result is complete, which includes the results of failed tests. */
interface Sent {
  readonly code: ExitCode;
  readonly isComplete: boolean;
}

/** Prints publications and new schemas; the error of a failed run lists earlier publications itself. */
async function printPublished(
  { notices }: CliContext,
  { status, targets = [], schemas = [] }: ExecutionOutcome,
): Promise<void> {
  if (status === 'failed') return;
  for (const name of schemas) await notices.write(`created schema ${name}\n`);
  for (const target of targets) await notices.write(`${printTargetLine(target)}\n`);
}

/** Prints how many results are not in the answer. */
async function printOthers({ stderr }: CliContext, outcome: ExecutionOutcome): Promise<void> {
  const others = outcome.status === 'done' ? (outcome.others ?? 0) : 0;
  if (others > 0) {
    const verb = others === 1 ? 'result is' : 'results are';
    await stderr.write(`${printCount(others)} more ${verb} not shown\n`);
  }
}

/** The name of a target in the progress line. */
function nameTarget(target: Target): string {
  if (target.kind === 'script') return target.path;
  if (target.kind === 'file') return target.path ?? target.source.name;
  if (target.kind === 'block') return `${target.package} ${target.block}`;
  return target.kind === 'tests' || target.kind === 'build' ? target.kind : 'SQL';
}

/** Rows and bytes of a result so far. A server that runs the execution does not report the rows meanwhile. */
function printAmount(rows: number, bytes: number): string {
  const counted = rows === 0 ? '' : `${printCount(rows)} ${rows === 1 ? 'row' : 'rows'}  `;
  return `${counted}${(bytes / 1e6).toFixed(1)} MB`;
}

async function send(
  context: CliContext,
  request: RunRequest,
  target: Pick<OutputFile, 'write'>,
  interactive?: InteractiveRun,
): Promise<Sent> {
  let [bytes, rows] = [0, 0];
  let isQueued = false;
  const name = nameTarget(request.target);
  const progress = showProgress(context, () => {
    if (isQueued) return `${name}  queued by the database`;
    return bytes + rows > 0 ? `${name}  ${printAmount(rows, bytes)}` : `running ${name}`;
  });
  const isShown = target === context.stdout && context.stdout.isTerminal;
  const sink = {
    async write(part: Uint8Array) {
      // Rows on the terminal replace the progress line.
      if (isShown && bytes === 0) await progress.end();
      if (interactive !== undefined && bytes === 0 && JOINABLE.includes(request.format))
        await target.write(Buffer.from(interactive.separate()));
      bytes += part.length;
      await target.write(part);
    },
    countRows(count: number) {
      rows = count;
    },
    noteQueued(now: boolean) {
      isQueued = now;
    },
  };
  const outcome = await withWorkspace(
    context,
    async (workspace) => {
      if (request.unrestricted === true) await checkUnrestricted(context, workspace);
      const ended = await workspace.run(request, sink, context.signal);
      await progress.end();
      return ended;
    },
    interactive?.place,
  ).finally(() => progress.end());
  await interactive?.note(outcome);
  await printWarnings(context, outcome.warnings);
  await printPublished(context, outcome);
  await printOthers(context, outcome);
  if (outcome.status === 'failed' || outcome.tests === null) {
    const code = await reportOutcome(context, outcome);
    return { code, isComplete: code === EXIT.done };
  }
  const isJson = request.format === 'json';
  if (!isJson) await printTests(context, outcome.tests);
  const hasFailed = outcome.tests.some((test) => test.status === 'FAILED');
  return { code: hasFailed ? EXIT.failed : EXIT.done, isComplete: isJson };
}
