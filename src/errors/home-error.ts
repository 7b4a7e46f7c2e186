/** What can be wrong with a home: see `HomeError`. */
export type HomeFault =
  | 'missing'
  | 'newer'
  | 'corrupt'
  | 'foreign'
  | 'locked'
  | 'unreadable'
  | 'unwritable'
  | 'full'
  | 'failing'
  | 'key';

/**
 * Something is wrong with the home itself, not with what was asked of it. `code` says what: its database is
 * not there (`missing`), was written by a newer version (`newer`), is damaged or no database at all
 * (`corrupt`), belongs to another program (`foreign`), is held by another process (`locked`), cannot be read
 * (`unreadable`) or written (`unwritable`), or its disk has no room (`full`) or fails (`failing`); or its master key does
 * not fit (`key`). The message says what to do; nothing in the home has been changed.
 */
export class HomeError extends Error {
  readonly code: HomeFault;

  constructor(code: HomeFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HomeError';
    this.code = code;
  }
}
