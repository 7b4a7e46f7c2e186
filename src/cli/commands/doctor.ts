import { accessSync, constants, statfsSync } from 'node:fs';
import { explainFileError } from '../../errors/explain-file-error.ts';
import { readVariable } from '../../settings/read-settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';
import type { Finding } from '../../workspace/setup/check-home.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { describeError, UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { queryValue, VERSION } from '../options/query-value.ts';
import { printChecks } from '../print/print-checks.ts';
import type { RunCommand } from '../table/commands.ts';

const MIN_FREE_BYTES = 256 * 1024 ** 2;

/**
 * `quern doctor`: checks the installation and the home, or with `--scim` a server's interface for identity providers.
 * Exits with 1 if it finds a problem.
 */
export const run: RunCommand<'doctor'> = async (context, { options }) => {
  if (options.write && options.scim === undefined) throw new UsageError('--write requires --scim');
  const checks =
    options.scim === undefined
      ? await checkHere(context)
      : await checkFromOutside(context, options.scim, options.write);
  await printChecks(context, checks, options.json);
  return checks.every(({ ok }) => ok) ? EXIT.done : EXIT.failed;
};

async function checkFromOutside(
  { env, signal }: CliContext,
  url: string,
  mayWrite: boolean,
): Promise<readonly Finding[]> {
  const { variable } = SETTINGS.scimToken;
  const token = readVariable(SETTINGS.scimToken, env)?.trim();
  if (!token) throw new UsageError(`set the environment variable ${variable} to an administrator's token`);
  // The error for an invalid header would print the token.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError(`${variable} does not contain a token`);
  const { checkScim } = await import('../actions/check-scim.ts');
  return checkScim({ url, token, mayWrite, signal });
}

async function checkHere(context: CliContext): Promise<readonly Finding[]> {
  const { findHome } = await import('../../workspace/home/find-home.ts');
  const { describeConfinement } = await import('../../workspace/runs/engine-files.ts');
  const home = findHome({ ...context, flag: context.home });
  return [
    await check('node', () => process.version),
    await check('home', () => checkFolder(home)),
    await check('disk', () => checkDisk(home)),
    ...(await checkWorkspace(context)),
    await check('engine', describeConfinement),
  ];
}

async function check(name: string, look: () => string | Promise<string>): Promise<Finding> {
  try {
    return { name, ok: true, seen: await look() };
  } catch (error) {
    return { name, ok: false, seen: explain(error) };
  }
}

/** Adds the path to errors of the file system. */
function explain(error: unknown): string {
  const isOfPath = error instanceof Error && 'syscall' in error && 'path' in error;
  return isOfPath ? `${error.path}: ${explainFileError(error)}` : describeError(error);
}

function checkFolder(home: string): string {
  accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  return home;
}

function checkDisk(home: string): string {
  const { bavail, bsize } = statfsSync(home);
  const free = bavail * bsize;
  const seen = `${(free / 1024 ** 3).toFixed(1)} GB free`;
  if (free < MIN_FREE_BYTES) throw new UsageError(`${seen}: free up disk space`);
  return seen;
}

async function checkWorkspace(context: CliContext): Promise<readonly Finding[]> {
  try {
    return await withWorkspace(context, async (workspace) => [
      await check('catalog', () => `${workspace.catalog.list(workspace.principal).data.length} namespaces`),
      await check('duckdb', () => queryDuckDb(context, workspace, VERSION)),
    ]);
  } catch (error) {
    return [{ name: 'catalog', ok: false, seen: describeError(error) }];
  }
}

async function queryDuckDb(context: CliContext, workspace: Workspace, query: string): Promise<string> {
  const request = { connection: 'duckdb', query };
  const { outcome, value } = await queryValue(workspace, request, context.signal);
  if (outcome.status === 'failed') throw new UsageError(outcome.error.message);
  return value;
}
