import { DiagnosticError } from '../../text/diagnostic.ts';

/** The unknown block or argument that a request names, or the required argument that it lacks. */
export interface ErrorSubject {
  readonly kind: 'block' | 'missing argument' | 'unknown argument';
  readonly name: string;
}

/** A requested block does not exist. */
export class UnknownBlockError extends Error {
  readonly subject: ErrorSubject;

  constructor(message: string, name: string) {
    super(message);
    this.subject = { kind: 'block', name };
  }
}

/** The arguments do not fit the parameters of a block; `subject` is the first argument that the message names. */
export class BlockArgumentError extends Error {
  readonly subject: ErrorSubject;

  constructor(message: string, subject: ErrorSubject) {
    super(message);
    this.subject = subject;
  }
}

/** A publication failed because its target was changed at the same time; it left nothing behind and can run again. */
export class PublicationRaceError extends DiagnosticError {}
