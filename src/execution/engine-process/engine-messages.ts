import type { DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import type { TargetResult } from '../../engine/run/outcome/target-report.ts';
import type { ExecutionOutcome } from '../contract/outcome.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import type { QuestionMessage, ReplyMessage } from './catalog-calls.ts';

/** Messages to the engine process, which handles them in order. */
export type ToEngine =
  /** The first message: the path of the socket at which the parent fetches answers. */
  | { readonly kind: 'open'; readonly socket: string }
  /**
   * The next piece of a serialized part of a package, to be kept until `forget`; `ends` is the largest unit that this
   * piece completes.
   */
  | {
      readonly kind: 'package';
      readonly hash: string;
      readonly bytes: Uint8Array;
      readonly ends: 'part' | 'package' | null;
    }
  /** Drops a package that is kept or has arrived in part. */
  | { readonly kind: 'forget'; readonly hash: string }
  /** Runs a request. `packages` are the hashes of the snapshot's packages, which the request does not contain. */
  | {
      readonly kind: 'run';
      readonly key: string;
      readonly request: ExecutionRequest;
      readonly packages: readonly string[];
    }
  /** Answers `begun`: the rest goes to the connection that is sent with this message, and is not fetched. */
  | { readonly kind: 'go'; readonly key: string }
  | { readonly kind: 'cancel'; readonly key: string }
  /** Ends the database session of an interactive session. */
  | { readonly kind: 'end-session'; readonly id: string }
  | ReplyMessage
  | { readonly kind: 'close' };

/** Messages from the engine process. */
export type FromEngine =
  /** Answers `open`. */
  | { readonly kind: 'ready' }
  | AnswerMessage
  | QuestionMessage
  /** The disk use of databases has changed. */
  | { readonly kind: 'disk'; readonly uses: readonly DiskUse[] }
  | ({ readonly kind: 'ended'; readonly key: string } & Ended)
  /** An internal error: the host rejected. */
  | { readonly kind: 'broken'; readonly key: string; readonly trace: string };

/** Messages about an execution that is long or slow. */
export type AnswerMessage =
  /** Whether the database has the current statement in its queue. */
  | { readonly kind: 'queued'; readonly key: string; readonly isQueued: boolean }
  /** The part of the current statement that is done; null if it is unknown. */
  | { readonly kind: 'progress'; readonly key: string; readonly progress: number | null }
  /** The end of a publication. */
  | { readonly kind: 'target'; readonly key: string; readonly target: TargetResult }
  /** Its first bytes; the rest waits until the parent fetches it, or for `go`. */
  | { readonly kind: 'begun'; readonly key: string; readonly head: Uint8Array }
  /** Number of further bytes that were sent on the connection of `go`. */
  | { readonly kind: 'sent'; readonly key: string; readonly bytes: number };

/** The end of an execution; `head` is a short answer, or null for an answer that was sent before. */
export interface Ended {
  readonly outcome: ExecutionOutcome;
  readonly head: Uint8Array | null;
}
