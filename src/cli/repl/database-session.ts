import { randomUUID } from 'node:crypto';
import { LEXICAL_RULES, type LexicalRules } from '../../engine/text/lexical-rules.ts';
import { type Lasting, NOTHING_LEFT } from '../../execution/contract/lasting.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { isKeyOf } from '../../invariants/narrow.ts';
import { printCount } from '../../invariants/print-count.ts';
import { suggest } from '../../text/suggest.ts';
import { ALL_TABLES, printColumnsQuery, TABLE_NAMES } from '../../workspace/api/schema-queries.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';
import type { SessionPlace } from '../../workspace/instance/session-place.ts';
import { findHomeInUse } from '../actions/find-home-in-use.ts';
import { runAnswer } from '../actions/run-answer.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { queryRows } from '../options/query-value.ts';
import type { RunOptions } from '../table/shared-options.ts';
import type { Effect, ReplSession } from './dot-commands.ts';
import type { Prompts } from './line-editor.ts';

/** The options of a session. */
export type ReplOptions = Pick<
  RunOptions,
  'connection' | 'format' | 'timeout' | 'expanded' | 'pager' | 'unrestricted'
>;

type Query = Extract<Effect, { kind: 'run' }>;

const NO_RUN_OPTIONS = {
  output: undefined,
  numbers: undefined,
  param: [],
  paramsFile: undefined,
  override: [],
  limit: undefined,
};

/** After the name of a connection in the prompt. */
const MARKS = { none: '', open: '*', failed: '!' } as const;

/** The database session of an interactive session: the next statement opens it, and it lasts until the connection changes. */
export class DatabaseSession {
  readonly #context: CliContext;
  readonly #session: ReplSession;
  readonly #options: Pick<ReplOptions, 'timeout' | 'pager' | 'unrestricted'>;
  #place: SessionPlace | undefined;
  #lasting: Lasting = { id: randomUUID(), expects: NOTHING_LEFT };
  #hasSaidHeld = false;
  #hasResult = false;
  #names: Promise<readonly string[]> | null = null;
  /** The lexical rules of the connection. */
  rules: LexicalRules = LEXICAL_RULES.duckdb;

  constructor(context: CliContext, session: ReplSession, options: ReplOptions) {
    this.#context = context;
    this.#session = session;
    this.#options = options;
  }

  get prompts(): Prompts {
    const name = `${this.#session.connection}${MARKS[this.#lasting.expects.transaction]}`;
    return { first: `${name}> `, continuation: `${' '.repeat(name.length - 1)}-> ` };
  }

  /** Reads the kind of the connection; the first statement reports what is wrong with the home or the connection. */
  async open(): Promise<void> {
    await this.#readRules(this.#session.connection).catch(() => {});
  }

  /** Changes the connection, and ends the session on the current one. Throws a ServiceError for an unknown one. */
  async connect(name: string): Promise<void> {
    await this.#readRules(name);
    await this.#leave();
    this.#session.connection = name;
    this.#lasting = { id: randomUUID(), expects: NOTHING_LEFT };
    this.#names = null;
    this.#hasSaidHeld = false;
  }

  /** Starts a text: an empty line separates its results. */
  startText(): void {
    this.#hasResult = false;
  }

  /** Runs SQL, and prints its result and what it has changed. */
  async run({ name, text, table }: Query, signal: AbortSignal): Promise<void> {
    const { connection, format, isExpanded } = this.#session;
    const query = table === undefined ? text : await this.#describe(table, text, signal);
    const options = { ...this.#options, connection, format, expanded: isExpanded, ...NO_RUN_OPTIONS };
    this.#names = null;
    await runAnswer({ ...this.#context, signal }, { kind: 'sql', source: { name, text: query } }, options, {
      place: await this.#findPlace(),
      lasting: this.#lasting,
      separate: () => {
        const separator = this.#hasResult ? '\n' : '';
        this.#hasResult = true;
        return separator;
      },
      note: (outcome) => this.#note(outcome),
    });
    if (signal.aborted) await this.#readState();
  }

  /** The names of tables and columns on the connection; none if the database does not list them. */
  async listNames(): Promise<readonly string[]> {
    const { connection } = this.#session;
    this.#names ??= this.#query({ connection, query: TABLE_NAMES }, this.#context.signal)
      .then((rows) => [...new Set(rows.flat())].toSorted())
      .catch(() => []);
    return this.#names;
  }

  /** Ends the session: an open transaction is rolled back. */
  async end(): Promise<void> {
    await this.#leave();
    await this.#place?.close();
  }

  async #leave(): Promise<void> {
    const { id, expects } = this.#lasting;
    if (id !== null) await this.#place?.endSession(id);
    if (expects.transaction === 'none') return;
    await this.#context.stderr.write(`the open transaction on ${this.#session.connection} was rolled back\n`);
  }

  async #note({ lasting }: ExecutionOutcome): Promise<void> {
    if (lasting === undefined) return;
    const { changes, ...expects } = lasting;
    this.#lasting = { ...this.#lasting, expects };
    const { notices } = this.#context;
    for (const { verb, rows } of changes)
      await notices.write(`${verb} ${printCount(rows)} ${rows === 1 ? 'row' : 'rows'}\n`);
    if (!expects.holdsFile || this.#hasSaidHeld) return;
    // Other commands use the file through the server that has it open.
    if ((await this.#place?.hasSession(this.#lasting)) !== true) return;
    this.#hasSaidHeld = true;
    await notices.write(
      `this session now keeps the file of ${this.#session.connection} open, so other processes cannot open it\n`,
    );
  }

  /** Reads what a cancelled statement has left, because a server does not report it. */
  async #readState(): Promise<void> {
    const { connection } = this.#session;
    const request = {
      target: { kind: 'sql', source: { name: 'sql', text: '' } },
      params: {},
      overrides: {},
      connection,
      format: 'json',
      lasting: this.#lasting,
    } as const;
    const { signal } = this.#context;
    const outcome = await this.#withWorkspace((workspace) =>
      workspace.run(request, { write: () => {} }, signal),
    );
    // The next statement reports a session that has ended.
    if (outcome.status === 'done') await this.#note(outcome);
  }

  /** The query for the columns of a table. Rejects with a UsageError for one that does not exist. */
  async #describe(table: string, query: string, signal: AbortSignal): Promise<string> {
    const { connection } = this.#session;
    const rows = await this.#query({ connection, query: ALL_TABLES, lasting: this.#lasting }, signal);
    const names = rows.flat();
    if (names.length === 0 || names.includes(table)) return query;
    const other = names.find((name) => name.toLowerCase() === table.toLowerCase());
    if (other !== undefined) return printColumnsQuery(other);
    const near = suggest(table, names);
    const advice = near === undefined ? '.tables lists them' : `did you mean \`${near}\`?`;
    throw new UsageError(`there is no table or view \`${table}\``, EXIT.failed, advice);
  }

  async #query(request: Parameters<typeof queryRows>[1], signal: AbortSignal): ReturnType<typeof queryRows> {
    return this.#withWorkspace((workspace) => queryRows(workspace, request, signal));
  }

  async #readRules(name: string): Promise<void> {
    const kind = await this.#withWorkspace(
      ({ connections, principal }) => connections.get(principal, name).kind,
    );
    this.rules = isKeyOf(LEXICAL_RULES, kind) ? LEXICAL_RULES[kind] : LEXICAL_RULES.postgresql;
  }

  async #withWorkspace<T>(use: (workspace: Workspace) => Promise<T> | T): Promise<T> {
    return withWorkspace(this.#context, use, await this.#findPlace());
  }

  async #findPlace(): Promise<SessionPlace> {
    if (this.#place !== undefined) return this.#place;
    const home = await findHomeInUse(this.#context);
    const { openSessionPlace } = await import('../../workspace/instance/session-place.ts');
    const place = openSessionPlace(home);
    this.#place = place;
    this.#context.onExit(() => place.abandon());
    return place;
  }
}
