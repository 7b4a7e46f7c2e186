import { printLeft } from './lasting.ts';

/** No slot is free for another execution, neither to run nor to wait. */
export class BusyError extends Error {}

/** The process of an execution ended before the execution did, or could not be started. */
export class LostError extends Error {}

/** The executions of a user are paused because too many of them have ended an engine process. */
export class PausedError extends Error {
  readonly retryAfter: number;

  /** `retryAfter` is in seconds. */
  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** A request exceeds a size limit. */
export class LimitError extends Error {}

/** A stored result would exceed a size limit. */
export class ResultLimitError extends Error {}

/** The session of an interactive session has ended by itself, and its statement did not run. */
function createSessionLost(left: readonly string[]): LostError {
  return new LostError(
    `the database session has ended, with ${printLeft(left)}; this statement did not run, and the next one opens a new session`,
  );
}

/** Errors for executions that are rejected or lost. */
export const executionErrors = {
  queueFull: (waiting: number) =>
    new BusyError(`the queue is full (executions waiting: ${waiting}); try again in a few seconds`),
  tooManyOfUser: (waiting: number) =>
    new BusyError(
      `your share of the queue is full (executions waiting: ${waiting}); wait until one has run, or cancel one`,
    ),
  paused: (seconds: number) =>
    new PausedError(`your executions have repeatedly ended the engine; try again in ${seconds} s`, seconds),
  tooManyKept: (max: number) =>
    new BusyError(`you already have ${max} stored executions; delete some that have ended`),
  resultTooLarge: (max: number) =>
    new ResultLimitError(`a stored result can have at most ${max} bytes; run it synchronously instead`),
  resultsOfUserTooLarge: (max: number) =>
    new ResultLimitError(`your stored results can have at most ${max} bytes in total; delete some`),
  resultsTooLarge: (max: number) =>
    new ResultLimitError(`all stored results can have at most ${max} bytes in total; try again later`),
  sessionLost: createSessionLost,
  transactionIdle: () =>
    new LostError(
      'the open transaction was rolled back after 5 minutes without a statement; this statement did not run',
    ),
  conversionEnded: () => new Error('the conversion of a result ended early'),
  resultRemoved: () => new Error('the result has been removed'),
  engineRestarted: () => new LostError('the engine was restarted; run it again'),
  engineOutOfMemory: () =>
    new LostError('the engine reached its memory limit and was restarted; run it again'),
  engineClosed: () => new LostError('the engine is shutting down'),
  engineNotStarted: () => new LostError("the engine could not be started; see the server's log"),
  answerBroken: () => new LostError('the answer from the engine was interrupted; run it again'),
  messageTooLong: (max: number) =>
    new LimitError(`the scripts and parameters of this run exceed ${max / 1024 ** 2} MB`),
  invalidFrame: () => new Error('invalid frame received'),
  serverUnreachable: (reason: string) =>
    new LostError(`the server on this home cannot be reached: ${reason}`),
  serverSilent: () => new LostError('the server on this home does not answer'),
  otherVersion: () => new LostError('the server on this home runs another version of Quern; restart it'),
  serverLost: () => new LostError('the server on this home ended during the execution; run it again'),
};
