import {
  isLive,
  type RecordedRun,
  type RecordedTarget,
  type RunExecution,
  type RunState,
  type StatementRecording,
} from '../../../api/runs/run.ts';
import { printCounted } from '../../catalog/view/print-size.ts';

/** A duration in milliseconds as `320 ms`, `4.2 s`, `3 min 5 s` or `2 h 3 min`. */
export function printDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The time that an execution has run, until `now` by the server's clock while it runs; the time that it waits, before. */
export function measureRun({ started_at, requested_at, ended_at }: RunExecution, now: number): number {
  const end = ended_at === null ? now : Date.parse(ended_at);
  return end - Date.parse(started_at ?? requested_at);
}

/** The path of the script that runs; files that are sent with the request have a prefix. */
export function printRunName({ name }: RunExecution): string {
  return name === 'sql' ? 'SQL' : name.replace(/^bundle:/, '');
}

/** How the state of a run looks: under way, ended well, stopped, or failed. */
export type StateKind = 'info' | 'success' | 'warning' | 'danger';

const STATES: Readonly<Record<RunState, readonly [label: string, kind: StateKind]>> = {
  queued: ['Waiting for its turn', 'info'],
  running: ['Running', 'info'],
  done: ['Done', 'success'],
  failed: ['Failed', 'danger'],
  cancelled: ['Cancelled', 'warning'],
};

/** The state of a run in words, wherever a run is named; that of a run with tests counts them. */
export function describeState({
  state,
  tests,
  is_queued_by_database: isQueued,
}: Pick<RunExecution, 'state' | 'tests' | 'is_queued_by_database'>): {
  readonly label: string;
  readonly kind: StateKind;
} {
  const [label, kind] = STATES[state];
  if (isQueued) return { label: 'Queued by the database', kind };
  if (state !== 'done' || tests === null || tests.total === 0) return { label, kind };
  const { total, failed } = tests;
  if (failed > 0) return { label: `${failed} of ${printCounted(total, 'test')} failed`, kind: 'danger' };
  return { label: `${printCounted(total, 'test')} passed`, kind };
}

const TARGET_WORDS: Readonly<Record<RecordedTarget['status'], string>> = {
  PUBLISHED: 'Published',
  FAILED: 'Failed',
  SKIPPED: 'Skipped',
};

/** The state of a target in a word, and what was done, its rows and its time: `(merge, 4 rows, 320 ms)`. */
export function printTarget({
  status,
  action,
  rows,
  duration_ms: duration,
}: Pick<RecordedTarget, 'status' | 'action' | 'rows' | 'duration_ms'>): {
  readonly word: string;
  readonly facts: string;
} {
  const time = status === 'SKIPPED' ? null : printDuration(duration);
  const facts = [action, rows === null ? null : printCounted(rows, 'row'), time].filter(
    (fact) => fact !== null,
  );
  return { word: TARGET_WORDS[status], facts: facts.length === 0 ? '' : `(${facts.join(', ')})` };
}

/** The number of messages of a run. */
export function countMessages({ warnings, targets, schemas, omitted = 0 }: RecordedRun): number {
  return warnings.length + targets.length + schemas.length + Number(omitted > 0);
}

/** Whether the result of one statement is all that a run has, so that it needs no tabs. */
export function isOneStatement(run: RecordedRun): boolean {
  return run.data.length === 1 && run.tests === null && countMessages(run) === 0;
}

/** Comments and blanks at the start of a statement. */
const LEADING = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;

/** The first word of a statement, such as `SELECT`. */
function findVerb(text: string): string {
  return /^\w+/.exec(text.replace(LEADING, ''))?.[0].toUpperCase() ?? 'Statement';
}

/** The first words of a statement that writes a table, up to the name of the table. */
const WRITES =
  /^(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?|copy|(?:alter|drop)\s+(?:table|view)(?:\s+if\s+exists)?|create\s+(?:or\s+replace\s+)?(?:(?:local|global)\s+)?(?:temp(?:orary)?\s+)?(?:materialized\s+)?(?:table|view)(?:\s+if\s+not\s+exists)?)\s+/i;
/** A name, perhaps with that of its schema. */
const NAME = /^(?:(?:"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[\p{L}_][\p{L}\p{N}_$]*)(?:\.(?=\S))?)+/u;

/** What the tab of a statement is called: its title, or else its verb with the table that it writes. */
export function nameStatement({ text, title }: StatementRecording['statement']): string {
  if (title !== null) return title;
  const statement = text.replace(LEADING, '');
  const start = WRITES.exec(statement)?.[0];
  const table = start === undefined ? undefined : NAME.exec(statement.slice(start.length))?.[0];
  return table === undefined ? findVerb(text) : `${findVerb(text)} ${table}`;
}

const PARTICIPLES: Readonly<Record<string, string>> = {
  INSERT: 'inserted',
  UPDATE: 'updated',
  DELETE: 'deleted',
  MERGE: 'merged',
};

/** Whether a statement has ended without its first row, although it has a result set. */
export function isWithoutRows(
  { kind, rows, is_complete: isComplete }: StatementRecording,
  run: RecordedRun,
): boolean {
  return kind === 'rows' && !rows && !isComplete && !isLive(run.execution);
}

/** Whether a statement is the one with which its run failed. */
export function hasFailed(result: StatementRecording, run: RecordedRun): boolean {
  return run.execution.state === 'failed' && isUnfinished(result, run);
}

/** Whether a run ended in a statement, if it did not end well: statements run one after the other. */
function isUnfinished(
  { kind, index, is_complete: isComplete, is_truncated: isTruncated }: StatementRecording,
  { data }: RecordedRun,
): boolean {
  if (index !== data.at(-1)?.index) return false;
  return kind === 'rows' ? isTruncated || !isComplete : kind === 'none';
}

/** What a statement without rows has done: `12 rows inserted`, `Done`; or that it has not ended by itself. */
export function printEffect(result: StatementRecording, run: RecordedRun): string {
  if (hasFailed(result, run)) return 'Failed';
  if (isUnfinished(result, run) && run.execution.state === 'cancelled') return 'Cancelled';
  if (result.ended_at === null) return 'Running';
  if (result.kind !== 'count' || result.rows === null) return 'Done';
  return `${printCounted(result.rows, 'row')} ${PARTICIPLES[findVerb(result.statement.text)] ?? 'changed'}`;
}
