import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { TABLE_NAMES } from '../../workspace/api/schema-queries.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';
import { runAnswer } from '../actions/run-answer.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { queryRows } from '../options/query-value.ts';
import { readFormat } from '../options/run-options.ts';
import { reportError } from '../print/report-error.ts';
import type { RunOptions } from '../table/shared-options.ts';
import { completeSql } from './complete-sql.ts';
import { DOT_NAMES, type Effect, type ReplSession, runDotCommand } from './dot-commands.ts';
import { splitStatements } from './split-statements.ts';

/** The options of a session. */
type ReplOptions = Pick<
  RunOptions,
  'connection' | 'format' | 'timeout' | 'expanded' | 'pager' | 'unrestricted'
>;

/** Reads statements from the terminal and runs them, until Ctrl-D. Throws a UsageError without a terminal. */
export async function runRepl(context: CliContext, options: ReplOptions): Promise<ExitCode> {
  const { stdin, stdout } = context;
  if (!(stdin.isTTY && stdout.isTerminal)) {
    throw new UsageError('a session needs a terminal; to run SQL from a pipe, use `quern sql -`');
  }
  const session: ReplSession = {
    connection: options.connection ?? 'duckdb',
    format: options.format === undefined ? undefined : readFormat(context, { ...options, ...NO_OUTPUT }),
    hasTimer: false,
    isExpanded: options.expanded,
  };
  await context.notices.write(`quern ${context.version}; .help lists commands, Ctrl-D ends the session\n`);
  await new Repl(context, session, options).run();
  return EXIT.done;
}

const NO_OUTPUT = { output: undefined, numbers: undefined };

class Repl {
  readonly #context: CliContext;
  readonly #session: ReplSession;
  readonly #options: ReplOptions;
  readonly #history: History;
  readonly #terminal: Interface;
  /** The start of a statement. */
  #pending = '';
  /** Of the statement that runs. */
  #running: AbortController | null = null;
  #names: Promise<readonly string[]> | null = null;
  /** Whether Ctrl-D has closed the terminal; the statement that runs then still completes. */
  #isClosed = false;

  constructor(context: CliContext, session: ReplSession, options: ReplOptions) {
    this.#context = context;
    this.#history = openHistory(context.userHome);
    this.#session = session;
    this.#options = options;
    this.#terminal = createInterface({
      input: context.stdin,
      output: process.stdout,
      completer: (line: string, done: (error: null, result: [string[], string]) => void) =>
        void this.#complete(line).then((result) => done(null, result)),
      history: [...this.#history.entries],
      historySize: 1_000,
    });
  }

  async run(): Promise<void> {
    let { entries } = this.#history;
    this.#terminal.on('history', (lines: readonly string[]) => {
      entries = [...lines];
    });
    this.#terminal.on('SIGINT', () => this.#interrupt());
    this.#terminal.once('close', () => {
      this.#isClosed = true;
    });
    this.#prompt();
    for await (const line of this.#terminal) {
      if (!(await this.#take(line))) break;
      this.#prompt();
    }
    this.#terminal.close();
    this.#history.save(entries);
  }

  #prompt(): void {
    if (this.#isClosed) return;
    const name = this.#session.connection;
    this.#terminal.setPrompt(this.#pending.trim() === '' ? `${name}> ` : `${' '.repeat(name.length - 1)}-> `);
    this.#terminal.prompt();
  }

  /** Ctrl-C cancels the running statement, or else clears the line. */
  #interrupt(): void {
    if (this.#running !== null) {
      this.#running.abort();
      return;
    }
    this.#pending = '';
    this.#terminal.write(null, { ctrl: true, name: 'e' });
    this.#terminal.write(null, { ctrl: true, name: 'u' });
    process.stdout.write('^C\n');
    this.#prompt();
  }

  /** Runs what a line completes; false at the end of the session. */
  async #take(line: string): Promise<boolean> {
    if (this.#pending.trim() === '' && line.trimStart().startsWith('.')) {
      return this.#guard(async () => this.#apply(await runDotCommand(this.#context, this.#session, line)));
    }
    const { statements, rest } = splitStatements(`${this.#pending}${line}\n`);
    this.#pending = rest.trim() === '' ? '' : rest;
    for (const text of statements) await this.#guard(() => this.#apply({ kind: 'run', name: 'sql', text }));
    return true;
  }

  async #guard(work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      await reportError(error, this.#context);
      return true;
    }
  }

  async #apply(effect: Effect): Promise<boolean> {
    if (effect.kind === 'quit') return false;
    if (effect.kind === 'print') await this.#context.stdout.write(effect.text);
    else await this.#runSql(effect);
    await this.#context.stdout.flush();
    return true;
  }

  async #runSql({ name, text }: Extract<Effect, { kind: 'run' }>): Promise<void> {
    const { connection, format, hasTimer, isExpanded } = this.#session;
    const { timeout, pager, unrestricted } = this.#options;
    const running = new AbortController();
    this.#running = running;
    const started = performance.now();
    const context = { ...this.#context, signal: running.signal };
    try {
      const options = {
        connection,
        format,
        timeout,
        pager,
        unrestricted,
        expanded: isExpanded,
        ...NO_RUN_OPTIONS,
      };
      await runAnswer(context, { kind: 'sql', source: { name, text } }, options);
    } finally {
      this.#running = null;
      this.#names = null;
    }
    if (running.signal.aborted) await context.stderr.write('cancelled\n');
    if (hasTimer) await context.notices.write(`${((performance.now() - started) / 1_000).toFixed(3)} s\n`);
  }

  async #complete(line: string): Promise<[string[], string]> {
    const { signal } = this.#context;
    const { connection } = this.#session;
    this.#names ??= withWorkspace(this.#context, (workspace) =>
      listNames(workspace, connection, signal),
    ).catch(() => []);
    return completeSql(line, await this.#names, DOT_NAMES);
  }
}

const NO_RUN_OPTIONS = { ...NO_OUTPUT, param: [], paramsFile: undefined, override: [], limit: undefined };

const MAX_ENTRIES = 1_000;

/** The lines of earlier sessions, newest first, in a file that only the user can read. */
interface History {
  readonly entries: readonly string[];
  /** Keeps entries for the next session; a file that cannot be written is ignored. */
  save(entries: readonly string[]): void;
}

/** Opens the history in the user's home folder. */
function openHistory(userHome: string): History {
  const file = path.join(userHome, '.quern_history');
  return {
    entries: read(file),
    save: (entries) => {
      const text = entries
        .slice(0, MAX_ENTRIES)
        .map((entry) => `${entry}\n`)
        .join('');
      try {
        writeFileSync(file, text, { mode: 0o600 });
      } catch {
        // A read-only home folder must not fail a session.
      }
    },
  };
}

function read(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** Lists the names of tables and columns on a connection; none if the database does not list them. */
async function listNames(
  workspace: Workspace,
  connection: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const rows = await queryRows(workspace, { connection, query: TABLE_NAMES }, signal);
  return [...new Set(rows.flat())].toSorted();
}
