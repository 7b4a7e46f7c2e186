import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { readFormat } from '../options/run-options.ts';
import { reportError } from '../print/report-error.ts';
import { completeSql } from './complete-sql.ts';
import { DatabaseSession, type ReplOptions } from './database-session.ts';
import { DOT_NAMES, type Effect, type ReplSession, runDotCommand } from './dot-commands.ts';
import { type History, openHistory } from './history.ts';
import { LineEditor } from './line-editor.ts';
import { Completeness, type Input, splitInput } from './split-input.ts';

/**
 * Reads statements from the terminal and runs them in one database session for each connection, until Ctrl-D. Throws a
 * UsageError without a terminal.
 */
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
  readonly #history: History;
  readonly #database: DatabaseSession;
  readonly #editor: LineEditor;
  /** Of the statement that runs. */
  #running: AbortController | null = null;
  /** Whether Ctrl-C was pressed since the last text was entered. */
  #isInterrupted = false;

  constructor(context: CliContext, session: ReplSession, options: ReplOptions) {
    this.#context = context;
    this.#history = openHistory(context.userHome);
    this.#session = session;
    this.#database = new DatabaseSession(context, session, options);
    const completeness = new Completeness();
    this.#editor = new LineEditor({
      context,
      history: this.#history,
      check: (appended, readText) => completeness.check(appended, readText, this.#database.rules),
      complete: async (line) => completeSql(line, await this.#database.listNames(), DOT_NAMES),
      onInterrupt: () => {
        this.#isInterrupted = true;
        this.#running?.abort();
      },
    });
  }

  async run(): Promise<void> {
    const { signal, onExit } = this.#context;
    const end = () => {
      this.#history.save();
      this.#editor.close();
    };
    const forget = onExit(end);
    const stop = () => {
      this.#running?.abort();
      this.#editor.close();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#database.open();
      await this.#readAll();
    } finally {
      signal.removeEventListener('abort', stop);
      forget();
      end();
      await this.#database.end();
    }
  }

  async #readAll(): Promise<void> {
    let start = '';
    for (;;) {
      const text = await this.#editor.read(this.#database.prompts, start);
      if (text === null) return;
      this.#isInterrupted = false;
      this.#database.startText();
      const { inputs, rest } = splitInput(text, this.#database.rules);
      for (const input of inputs) this.#history.add(input.kind === 'sql' ? input.text : input.line);
      if (!(await this.#takeAll(inputs))) return;
      start = this.#isInterrupted || rest === '' ? '' : `${rest}\n`;
    }
  }

  /** Runs inputs until Ctrl-C; false at the end of the session. */
  async #takeAll(inputs: readonly Input[]): Promise<boolean> {
    for (const input of inputs) {
      if (this.#isInterrupted) return true;
      if (!(await this.#guard(() => this.#take(input)))) return false;
    }
    return true;
  }

  /** Runs an input; false at the end of the session. */
  async #take(input: Input): Promise<boolean> {
    const effect: Effect =
      input.kind === 'sql'
        ? { kind: 'run', name: 'sql', text: input.text }
        : await runDotCommand(this.#context, this.#session, input.line);
    if (effect.kind === 'quit') return false;
    if (effect.kind === 'print') await this.#context.stdout.write(effect.text);
    else if (effect.kind === 'connect') {
      await this.#database.connect(effect.name);
      await this.#context.stdout.write(`connection ${effect.name}\n`);
    } else await this.#runSql(effect);
    await this.#context.stdout.flush();
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

  async #runSql(effect: Extract<Effect, { kind: 'run' }>): Promise<void> {
    const { stderr, notices } = this.#context;
    const running = new AbortController();
    this.#running = running;
    const started = performance.now();
    try {
      await this.#database.run(effect, running.signal);
    } finally {
      this.#running = null;
    }
    if (running.signal.aborted) await stderr.write('cancelled\n');
    if (this.#session.hasTimer)
      await notices.write(`${((performance.now() - started) / 1_000).toFixed(3)} s\n`);
  }
}
