// What a command asks the server of its home, while the server has the home open: private operations below `/local/`,
// as HTTP over the socket of the home. A request has one message as its body (`execution/frames`): the acting user and
// the input. The body of a response is bytes, if the operation has any, and a last message: the end of the call.

import type { ServiceError } from '../../errors/service-error.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { ExecutionRequest } from '../../execution/contract/request.ts';
import type { BackupListBody } from '../api/backup-body.ts';
import type { RunningBody } from '../api/execution-body.ts';
import type { ServerStatusBody } from '../api/status-body.ts';

/** The operations, each with its input and its answer. */
export interface LocalCalls {
  /** Runs a request that the command has authorized and collected; the bytes are those of the result. */
  readonly run: { readonly input: ExecutionRequest; readonly answer: ExecutionOutcome };
  /**
   * Keeps the database session of an interactive session with this id until the caller disconnects, or an hour passes
   * without a statement. One byte reports that it is kept; the answer is false if no further session can be kept.
   */
  readonly 'keep-session': { readonly input: string; readonly answer: boolean };
  /** Lists the running and waiting executions that the acting user may see. */
  readonly list: { readonly input: null; readonly answer: readonly RunningBody[] };
  /** Cancels the execution with this id; 404 for one that `list` does not show. */
  readonly cancel: { readonly input: string; readonly answer: true };
  /**
   * Releases the server's DuckDB files once running executions have ended, which takes at most this number of
   * milliseconds. One byte reports the release; the server opens the files again when the caller disconnects. Without a
   * release, the answer is the number of executions that still run; 0: another process held the files.
   */
  readonly hold: { readonly input: number; readonly answer: number };
  /** The state of the server; null while it starts. 403 unless the acting user manages accounts. */
  readonly status: { readonly input: null; readonly answer: ServerStatusBody | null };
  /** Lists backups, with the one that is being written. 403 as above. */
  readonly backups: { readonly input: null; readonly answer: BackupListBody };
  /** Deletes the backup with this name; 403 as above, and 404. */
  readonly 'delete-backup': { readonly input: string; readonly answer: true };
  /** Writes a file that signs the home's owner in at the console, once, and can open a script there. */
  readonly 'sign-in-file': {
    readonly input: { readonly script?: string | undefined };
    readonly answer: SignInFile;
  };
}

/** A file that signs in at the console. */
interface SignInFile {
  /** The address that the server listens on; null while it starts. */
  readonly url: string | null;
  /** The path of the file; null for a server that does not listen on a loopback address. */
  readonly path: string | null;
}

/** The body of a request: `user` is the id of the acting user, by default the home's owner. */
export interface LocalCall<Input = unknown> {
  readonly user?: string | undefined;
  readonly input: Input;
}

/** The last message of a response: the answer, the properties of a ServiceError, or an internal error. */
export type CallEnd =
  | { readonly kind: 'answered'; readonly value: unknown }
  | ({ readonly kind: 'refused' } & Pick<ServiceError, 'status' | 'code' | 'detail' | 'hint'>)
  | { readonly kind: 'broken'; readonly trace: string };

/** The path of every operation starts with this. */
export const LOCAL_PATH = '/local/';

/** Header of each request and response: the version of Quern. Another version has other messages. */
export const VERSION_HEADER = 'quern-version';
