import { DiagnosticError } from '../../text/diagnostic.ts';

/** A selector that matches no test. */
export class SelectionError extends Error {}

/** What a request names that is not there, or does not name that must be there. */
export interface Subject {
  readonly kind: 'block' | 'missing argument' | 'unknown argument';
  readonly name: string;
}

/** A block that is asked for and not there. */
export class UnknownBlockError extends Error {
  readonly subject: Subject;

  constructor(message: string, name: string) {
    super(message);
    this.subject = { kind: 'block', name };
  }
}

/** Arguments that a block does not take; `subject` is the first of those that the message names. */
export class BlockArgumentError extends Error {
  readonly subject: Subject;

  constructor(message: string, subject: Subject) {
    super(message);
    this.subject = subject;
  }
}

/** A publication whose target something else has changed meanwhile; nothing of it is there, and it may be run again. */
export class PublicationRaceError extends DiagnosticError {}
