import type { RunCall } from '../../execution/command-socket/socket-host.ts';
import type { RunningBody } from '../api/execution-body.ts';

/** What a command asks of the server that runs on its home; `user` is the id of the one who acts. */
export type ServerCall =
  | RunCall
  | { readonly kind: 'list'; readonly user: string }
  | { readonly kind: 'cancel'; readonly user: string; readonly id: string }
  /**
   * Has the server give up its DuckDB files once what runs has ended; a byte of the answer says that it has. It takes them
   * back when the caller leaves.
   */
  | { readonly kind: 'hold'; readonly waitMs: number };

/** What ends the answer to each call; a `hold` is answered only where the files are not given up. */
export interface ServerAnswers {
  readonly list: readonly RunningBody[];
  /** Whether there was one of this id that the user may see. */
  readonly cancel: boolean;
  /** How many executions still ran; none: others held the files. */
  readonly hold: number;
}
