/** The codes of a `HomeError`. */
export type HomeErrorCode =
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
 * An error of the home itself, not of a request. `code` identifies it: the database is missing (`missing`), was written
 * by a newer version (`newer`), is damaged or not a database (`corrupt`), belongs to another program (`foreign`), is in
 * use by another process (`locked`), cannot be read (`unreadable`) or written (`unwritable`); the disk is full (`full`)
 * or fails (`failing`); the master key does not match (`key`). The message says what to do; the home is unchanged.
 */
export class HomeError extends Error {
  readonly code: HomeErrorCode;

  constructor(code: HomeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HomeError';
    this.code = code;
  }
}
