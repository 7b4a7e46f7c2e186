import { quoteArgument } from '../../errors/quote-argument.ts';
import type { ReadStatus } from '../../server/health/server-status.ts';
import type { ServerLog } from '../../server/log/log.ts';
import type { RunningServer } from '../../server/start.ts';
import { TlsFilesError } from '../../server/tls/read-tls-files.ts';
import { readValues, type SettingValues } from '../../settings/read-settings.ts';
import { flagOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import type { ExecutionOptions } from '../../workspace/runs/executions.ts';
import { findOrMakeHome } from '../actions/find-or-make-home.ts';
import { refuseUser } from '../actions/refuse-user.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { printDiagnostics } from '../print/print-diagnostics.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern serve`: serves the home over HTTP until a signal stops it; creates a missing home first. */
export const run: RunCommand<'serve'> = async (context, { options }) => {
  refuseUser(context, 'a server acts as the user of each request');
  return serveHome(context, await findOrMakeHome(context), options);
};

/** Serves a home until a signal stops it. `onListening` is called once requests are accepted; its error stops the server. */
export async function serveHome(
  context: CliContext,
  home: string,
  options: Parameters<RunCommand<'serve'>>[1]['options'],
  onListening?: () => Promise<void>,
): Promise<ExitCode> {
  const { env, cwd } = context;
  const { readHomeConfig, readSettings } = await import('../../workspace/home/home-config.ts');
  const { errors } = readHomeConfig(home);
  if (errors !== undefined) {
    await printDiagnostics(context, context.stderr, errors);
    return EXIT.usage;
  }
  const findSettings = () => readSettings({ home, env, cwd, flags: options });
  const settings = readValues(findSettings());
  checkTls(settings);
  // Settings that are refused do not wait for the code of the server.
  const { openInstance } = await import('../../workspace/instance/instance.ts');
  const { listenForCommands } = await import('../../server/local/listen.ts');
  const { createOperations } = await import('../../server/local/operations.ts');
  const { openLog } = await import('../../server/log/log.ts');
  const log = openLog(settings.logLevel);
  try {
    const execution = readExecution(log.log, settings);
    const warn = (line: string) => log.log.warn(line);
    const semantic = { warn, defaultConnection: settings.semanticConnection };
    const instance = openInstance({ home, findSettings, execution, semantic, warn });
    let readStatus: ReadStatus | null = null;
    const operations = createOperations(home, instance, () => readStatus);
    const { findPrincipal } = instance;
    const local = listenForCommands({ home, operations, findPrincipal, version: context.version, warn });
    try {
      const onStarted = (server: RunningServer) => {
        readStatus = server.readStatus;
      };
      await serve(context, { home, instance, log, settings, onListening, onStarted });
    } finally {
      await instance.close(local.close);
    }
  } finally {
    await log.close();
  }
  return EXIT.done;
}

/** No administrator can sign in to the console with a password. */
function printPasswordHint({ home }: CliContext): string {
  const command = `quern ui${home === undefined ? '' : ` ${flagOf(SETTINGS.home)} ${quoteArgument(home)}`}`;
  return `no administrator has a password yet: to sign in to the console, run \`${command}\``;
}

function checkTls({ tlsCert, tlsKey }: SettingValues): void {
  if ((tlsCert === undefined) === (tlsKey === undefined)) return;
  throw new UsageError(`TLS needs both ${flagOf(SETTINGS.tlsCert)} and ${flagOf(SETTINGS.tlsKey)}`);
}

function readExecution(log: ServerLog['log'], settings: SettingValues): ExecutionOptions {
  const warn = (line: string) => log.warn(line);
  const { queryLog, queryLogDays: days } = settings;
  return {
    limits: { running: settings.execRunning, queued: settings.execQueued, perOwner: settings.execPerUser },
    timeoutMs: settings.execTimeout * 1_000,
    resultTtlMs: settings.execResultTtl * 1_000,
    sqlMegabytes: settings.execSqlSize,
    memory: settings.execMemory,
    disk: settings.execDisk,
    log: (line) => log.warn({ line }, 'engine output'),
    ...(queryLog === 'off' ? {} : { queryLog: { keepsTexts: queryLog === 'text', days, warn } }),
  };
}

interface Serving {
  readonly home: string;
  readonly instance: Instance;
  readonly log: ServerLog;
  readonly settings: SettingValues;
  readonly onListening: (() => Promise<void>) | undefined;
  readonly onStarted: (server: RunningServer) => void;
}

async function serve(
  context: CliContext,
  { home, instance, log: { log, state }, settings, onListening, onStarted }: Serving,
): Promise<void> {
  const { version } = context;
  const { startServer } = await import('../../server/start.ts');
  const server = await startServer({ instance, version, log, logState: state, settings }).catch((error) =>
    explain(error, settings),
  );
  onStarted(server);
  const { url, stop } = server;
  const { writeServerFile } = await import('../../workspace/services/server-file.ts');
  context.endAtSignal((settings.stopGrace + 1) * 1_000);
  try {
    const content = { pid: process.pid, url, version, started_at: new Date().toISOString() };
    const removeFile = writeServerFile(home, content);
    const forget = context.onExit(removeFile);
    if (onListening === undefined && !instance.accounts.users.administratorHasPassword())
      log.warn(printPasswordHint(context));
    // Standard output may be closed, or the disk full; the log has the line, too.
    await context.stdout.write(`listening on ${url}\n`).catch(() => undefined);
    try {
      await onListening?.();
      await untilAborted(context.signal);
    } finally {
      forget();
      removeFile();
    }
  } finally {
    await stop();
  }
}

/** Converts system errors about addresses and TLS files to usage errors. */
function explain(error: NodeJS.ErrnoException, { host, port }: SettingValues): never {
  if (error.code === 'EADDRINUSE') {
    throw new UsageError(
      `${host}:${port} is in use: choose another ${flagOf(SETTINGS.port)}, or 0 for any`,
      EXIT.unreachable,
    );
  }
  if (error.code === 'EACCES' && error.syscall === 'listen') {
    throw new UsageError(`${host}:${port} needs more rights: use ${flagOf(SETTINGS.port)} 1024 or higher`);
  }
  if (error.code === 'EADDRNOTAVAIL' || error.syscall === 'getaddrinfo') {
    throw new UsageError(
      `${host} is not an address of this machine: choose another ${flagOf(SETTINGS.host)}`,
    );
  }
  if (error instanceof TlsFilesError) throw new UsageError(error.message);
  throw error;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
