import { elementAt } from '../../invariants/must.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readNewSettings } from '../options/read-connection.ts';
import { readTimeout } from '../options/run-options.ts';
import { exitCodeOf } from '../print/report-outcome.ts';
import type { OptionsOf, RunCommand } from '../table/commands.ts';
import { printAligned } from '../terminal/print-aligned.ts';
import { showProgress } from '../terminal/progress.ts';

type TestOptions = OptionsOf<'connection test'>;

/** `quern connection test`: tests a stored connection, or settings before they are stored. */
export const run: RunCommand<'connection test'> = async (context, { args, options }) => {
  const name = elementAt(args, 0);
  const progress = showProgress(context, () => `connecting to ${name}`);
  const { steps, passed, version, duration_ms } = await withWorkspace(context, async (workspace) => {
    const connection = await prepare(context, workspace, name, options);
    return workspace.testConnection(connection, readTimeout(options), context.signal);
  }).finally(() => progress.end());
  const notes = steps.flatMap(({ step, outcome, message, duration_ms: took }) =>
    outcome === 'passed' && message !== null ? [[PRINTED[step], `${took} ms`, message]] : [],
  );
  const found = version === null ? [] : [[name, version, `${duration_ms} ms`]];
  const text = options.json
    ? `${JSON.stringify({ name, version, duration_ms, passed, steps })}\n`
    : [printAligned(found), printAligned(notes)].filter((part) => part.trim() !== '').join('');
  if (text !== '') await context.stdout.write(text);
  const failed = steps.find(({ outcome }) => outcome === 'failed');
  if (passed || failed === undefined) return EXIT.done;
  await context.stdout.flush();
  await context.stderr.write(`error: ${failed.message}\n`);
  return exitCodeOf(failed.code);
};

const PRINTED = { resolve: 'look up', connect: 'connect', sign_in: 'sign in', ask: 'ask' } as const;

/** The stored connection, which needs only READ, or the changed one, which needs MANAGE. */
async function prepare(
  context: CliContext,
  { connections, principal }: Workspace,
  name: string,
  options: TestOptions,
) {
  const isChanged = options.kind !== undefined || options.set.length > 0 || options.secret.length > 0;
  // A test names its folder itself.
  if (!isChanged) return connections.resolve(principal, { name, overrides: {}, spillFolder: '' }).spec;
  const stored = connections.list(principal).find((connection) => connection.name === name);
  const kind = options.kind ?? stored?.kind;
  const fields = await readNewSettings(context, { ...options, kind }, connections.listKinds());
  const inherited = stored?.kind === kind ? stored?.options : {};
  return connections.prepareTest(
    principal,
    { ...fields, name, options: { ...inherited, ...fields.options } },
    context.cwd,
  );
}
