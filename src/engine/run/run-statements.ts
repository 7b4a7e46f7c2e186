import { elementAt } from '../../invariants/must.ts';
import { printCount } from '../../invariants/print-count.ts';
import type { BoundValue } from '../connection/contract/bound-value.ts';
import type { Connection, StatementInput } from '../connection/contract/connection.ts';
import type { Statement } from '../script/evaluate/steps.ts';
import { ParamError, type Rendered, toOriginalSpan } from '../script/params/params.ts';
import { createDiagnostic, DiagnosticError, type Warn } from '../text/diagnostic.ts';
import { finishInPieces } from '../text/finish-in-pieces.ts';
import type { Interruptible } from '../text/interruptible.ts';
import type { LexicalRules } from '../text/lexical-rules.ts';
import type { Span } from '../text/span.ts';
import { splitLongText } from '../text/sql-scanner.ts';
import type { BindInput } from './blocks/bind-statement.ts';
import { checkStatements } from './blocks/check-text.ts';
import { countsRows, isQuery, mayWrite, returnsRows } from './blocks/is-query.ts';
import { TransactionWatch } from './blocks/transaction-watch.ts';
import { type Answer, NoQueryError } from './outcome/answer.ts';
import type { StatementCount } from './outcome/statement-count.ts';
import { checkInSandbox, checkMeaning, locateStatement } from './outcome/statement-error.ts';
import type { ResultRecorder } from './record/result-recorder.ts';

export interface StatementsJob {
  readonly connection: Connection;
  readonly rendered: Rendered;
  readonly lexicalRules: LexicalRules;
  readonly answer: Answer;
  /** Takes the results of all statements, instead of `answer`; null if only the answer is wanted. */
  readonly recorder: ResultRecorder | null;
  readonly signal: AbortSignal;
  readonly warn: Warn;
  /** Whether the session lasts, so that its transaction may stay open. */
  readonly isLasting?: boolean;
  readonly count: StatementCount;
  /** The rows of COPY FROM STDIN. */
  readonly copied?: string | undefined;
  /** The values of the placeholders of the only statement. */
  readonly bind?: BindInput | undefined;
}

/** Maximum statements of a script: all are checked before the first one runs. */
const MAX_STATEMENTS = 500_000;

/**
 * Runs every statement of a script, in order; the first result set is the answer (docs/reference/calls.md#result).
 * Before anything runs, throws a DiagnosticError for statements that `checkStatements` rejects, and a StatementError
 * for statements that the sandbox does not allow or that are invalid semantic SQL. Later, throws a StatementError at
 * the first statement that the database rejects.
 */
export async function runStatements(job: StatementsJob): Promise<void> {
  const { rendered, lexicalRules } = job;
  const spans = await finishInPieces(splitLongText(rendered.text, lexicalRules), job.signal);
  if (spans.length > MAX_STATEMENTS) throw createTooMany(rendered, elementAt(spans, MAX_STATEMENTS));
  const written = spans.map((span) => toStatement(rendered, span));
  if (written.length === 0) warnOfNothing(job.warn, rendered.source.name);
  const { statements, values = undefined } =
    job.bind === undefined ? { statements: written } : await bind(written, job.bind, job);
  await finishInPieces(checkAll(statements, job), job.signal);
  for (const statement of statements) await checkMeaning(job.connection, statement, job.signal);
  const { isLasting = false } = job;
  const transaction = new TransactionWatch(job.connection, lexicalRules);
  for (const [at, statement] of statements.entries()) {
    const isUnfinished = !isLasting && transaction.isUnfinished(statement.sql);
    const isLive = at === statements.length - 1 && !isUnfinished;
    const run = () => runStatement({ ...job, values }, statement, statement.sql, isLive);
    await transaction.run(statement, () => locateStatement(statement, run));
    job.count.add(job.connection.inTransaction);
  }
  if (!isLasting) await transaction.checkEnded();
}

/** Warns that nothing of a source ran, with what it has instead of statements, and advice. */
export function warnOfNothing(warn: Warn, name: string, content = 'no statement', advice = ''): void {
  const message = `${name} has ${content}, so nothing ran${advice}`;
  warn({ severity: 'warning', code: 'file', suggestion: null, message });
}

/** Reads the values of the placeholders of the only statement. Rejects with a ParamError. */
async function bind(
  written: readonly Statement[],
  input: BindInput,
  { lexicalRules, rendered, answer, signal }: StatementsJob,
): Promise<{ readonly statements: readonly Statement[]; readonly values: readonly BoundValue[] }> {
  const [only] = written;
  if (only === undefined || written.length > 1) {
    throw new ParamError(`\`bind\` is for one statement, and ${rendered.source.name} has ${written.length}.`);
  }
  if (answer.wantsFile) throw new ParamError('`bind` cannot be used with Parquet: use another format.');
  const { bindStatement, bindsName } = await import('./blocks/bind-statement.ts');
  const taken = [...rendered.values.keys()].find((name) => bindsName(input, name));
  if (taken !== undefined) {
    throw new ParamError(`\`${taken}\` is in \`bind\` and in \`params\`: keep one of them.`);
  }
  const { statement, values } = await finishInPieces(bindStatement(only, input, lexicalRules), signal);
  return { statements: [statement], values };
}

function* checkAll(
  statements: readonly Statement[],
  { connection, lexicalRules, warn, bind }: StatementsJob,
): Interruptible<void> {
  yield* checkStatements(statements, lexicalRules, warn, bind !== undefined);
  for (const statement of statements) {
    yield;
    yield* checkInSandbox(connection, statement);
  }
}

/**
 * Runs one statement, whose executable form is `text`; its rows are a part of the answer if that is open. Rejects with a
 * DatabaseError or a NoQueryError. `isLive`: nothing follows that could fail.
 */
export async function runStatement(
  {
    connection,
    answer,
    recorder,
    lexicalRules,
    signal,
    copied,
    values,
  }: Omit<StatementsJob, 'rendered' | 'warn' | 'count' | 'bind'> & Pick<StatementInput, 'values'>,
  statement: Statement,
  text: string,
  isLive: boolean,
): Promise<void> {
  if (recorder !== null) {
    const mode = { toEnd: mayWrite(text, lexicalRules), counts: countsRows(text, lexicalRules) };
    return recorder.record(statement, mode, () => connection.run(text, signal, { values }));
  }
  if (answer.wantsFile && answer.rows === null) {
    // Each statement of semantic SQL becomes a query.
    if (connection.physicalConnection !== undefined || isQuery(text, lexicalRules)) {
      return answer.takeFile((file, maxRows) => connection.exportParquet(text, file, maxRows, signal));
    }
    // Thrown before the statement changes anything.
    if (returnsRows(text, lexicalRules)) throw new NoQueryError();
  }
  const result = await connection.run(text, signal, { copied, values });
  if (result.kind === 'done') return;
  if (answer.isOpen) {
    const how = { isLive, toEnd: mayWrite(text, lexicalRules) };
    return answer.take(result.columns, result.chunks, how);
  }
  answer.skip();
  for await (const _ of result.chunks);
}

function createTooMany(rendered: Rendered, span: Span): DiagnosticError {
  const message = `this is statement ${printCount(MAX_STATEMENTS + 1)}, more than the limit of ${printCount(MAX_STATEMENTS)}: split the script`;
  return new DiagnosticError([
    createDiagnostic(rendered.source, toOriginalSpan(rendered, span), message, 'sql'),
  ]);
}

function toStatement(rendered: Rendered, { start, end }: Span): Statement {
  return {
    sql: rendered.text.slice(start, end),
    start: 0,
    findOrigin: (span) => {
      const sourceSpan = { start: start + span.start, end: start + span.end };
      return { rendered, span: toOriginalSpan(rendered, sourceSpan), block: '' };
    },
  };
}
