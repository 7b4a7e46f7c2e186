import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';
import type { SamlTestBody } from '../../workspace/services/saml-admin-body.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printSamlTest } from '../print/print-saml.ts';
import type { RunCommand } from '../table/commands.ts';

const WAIT_SECONDS = 300;
const PAUSE_MS = 500;

/** `quern sso saml test`: prints the link for a test sign-in, waits for it, and prints the received attributes. */
export const run: RunCommand<'sso saml test'> = (context, { options }) =>
  withWorkspace(context, async (workspace) => {
    const { accounts, principal } = workspace;
    const settings = accounts.samlAdmin.get(principal);
    const { id, url } = accounts.samlAdmin.startTest(principal);
    await context.stderr.write(`open this link in a browser, and sign in there:\n${url}\n`);
    const seconds = options.timeout ?? WAIT_SECONDS;
    const test = await waitFor(workspace, id, seconds, context.signal);
    if (test === null) return EXIT.failed;
    const text = options.json ? `${JSON.stringify(test)}\n` : printSamlTest(test, settings);
    await context.stdout.write(text);
    return test.outcome?.passed === true ? EXIT.done : EXIT.failed;
  });

/** Returns null after Ctrl-C. Throws a UsageError if no user signs in before the timeout. */
async function waitFor(
  { accounts, principal }: Workspace,
  id: string,
  seconds: number,
  signal: AbortSignal,
): Promise<SamlTestBody | null> {
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return null;
    const test = accounts.samlAdmin.getTest(principal, id);
    if (test.status === 'finished') return test;
  }
  throw new UsageError(`no user signed in within ${seconds} s: run the command again`, EXIT.unreachable);
}
