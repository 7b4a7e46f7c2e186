/** No place is free for one more execution, neither to run nor to wait. */
export class BusyError extends Error {}

/** The process that ran an execution ended under it, or could not be started. */
export class LostError extends Error {}

/** The executions of a user wait, since too many of them have ended the process that ran them. */
export class PausedError extends Error {
  readonly retryAfter: number;

  /** `retryAfter`: seconds. */
  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** A request holds more than there is room for. */
export class LimitError extends Error {}

/** There is no room for one more byte of a result that is kept. */
export class ResultLimitError extends Error {}

/** What refuses executions that are too many, and what is said about a lost one. */
export const executionErrors = {
  queueFull: (waiting: number) =>
    new BusyError(`the queue is full (executions waiting: ${waiting}); try again in a few seconds`),
  tooManyOfUser: (waiting: number) =>
    new BusyError(
      `your part of the queue is full (executions waiting: ${waiting}); try again when one has run, or cancel one`,
    ),
  paused: (crashes: number, seconds: number) =>
    new PausedError(
      `your executions have ended the engine ${crashes} times in ten minutes; try again in ${seconds} s`,
      seconds,
    ),
  tooManyKept: (most: number) =>
    new BusyError(`${most} of your executions are kept already; delete some that have ended`),
  resultTooLarge: (most: number) =>
    new ResultLimitError(`a result that is kept may have at most ${most} bytes; read it as it comes`),
  resultsOfUserTooLarge: (most: number) =>
    new ResultLimitError(`your results that are kept may have at most ${most} bytes together; delete some`),
  resultsTooLarge: (most: number) =>
    new ResultLimitError(
      `the results that are kept may have at most ${most} bytes together; try again later`,
    ),
  resultRemoved: () => new Error('the result has been removed'),
  engineRestarted: () => new LostError('the engine was restarted; run it again'),
  engineOutOfMemory: () =>
    new LostError('the engine came to the limit of its memory and was restarted; run it again'),
  engineClosed: () => new LostError('the engine is being closed'),
  engineNotStarted: () => new LostError('the engine does not start; its log says why'),
  answerBroken: () => new LostError('the answer broke off on its way from the engine; run it again'),
  messageTooLong: (most: number) =>
    new LimitError(`the scripts and parameters of this run take more than ${most / 1024 ** 2} MB`),
  noFrame: () => new Error('what came in over the socket is no frame'),
  serverUnreachable: (reason: string) =>
    new LostError(`the server that runs on this home cannot be reached: ${reason}`),
  serverSilent: () => new LostError('the server that runs on this home does not answer'),
  otherVersion: () =>
    new LostError('the server that runs on this home is of another version of Quern: start it again'),
  serverLost: () => new LostError('the server on this home ended while this ran; run it again'),
};
