import type { RunCall } from '../../execution/command-socket/socket-host.ts';
import type { RunningBody } from '../api/execution-body.ts';

/** What a file that signs in at the console contains. */
export interface SignInFileOptions {
  /** An address of the server on this machine. */
  readonly url: string;
  /** The path of a script to open and to run after the sign-in. */
  readonly script?: string | undefined;
}

/** The calls of a command to the server of its home; `user` is the id of the acting user. */
export type ServerCall =
  | RunCall
  | { readonly kind: 'list'; readonly user: string }
  | { readonly kind: 'cancel'; readonly user: string; readonly id: string }
  /**
   * Releases the server's DuckDB files once running executions have ended; one byte of the response reports the
   * release. The server opens them again when the caller disconnects.
   */
  | { readonly kind: 'hold'; readonly waitMs: number }
  /** Writes a file that signs the home's owner in at the console, once. */
  | ({ readonly kind: 'sign-in-file' } & SignInFileOptions);

/** The final value of the response to each call; `hold` has one only if the files were not released. */
export interface ServerAnswers {
  readonly list: readonly RunningBody[];
  /** Whether an execution with this id exists that the user may see. */
  readonly cancel: boolean;
  /** The number of executions that still ran; 0: another process held the files. */
  readonly hold: number;
  /** The path of the file; null without an active administrator. */
  readonly 'sign-in-file': string | null;
}
