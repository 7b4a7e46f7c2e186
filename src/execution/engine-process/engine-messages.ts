import type { DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import type { ExecutionOutcome } from '../contract/outcome.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import type { TranslatedMessage, TranslateMessage } from './translations.ts';

/** What the engine process is told, in order. */
export type ToEngine =
  /** The first message: the path of the socket to which answers go. */
  | { readonly kind: 'open'; readonly socket: string }
  /**
   * The next piece of a part of a package, serialized, which is to be kept until it is to be forgotten; `ends` says what
   * ends with the piece.
   */
  | {
      readonly kind: 'package';
      readonly hash: string;
      readonly bytes: Uint8Array;
      readonly ends: 'part' | 'package' | null;
    }
  /** Of a package that is kept, or has not arrived as a whole. */
  | { readonly kind: 'forget'; readonly hash: string }
  /** `packages`, by their hashes, are those of the snapshot, which itself comes without. */
  | {
      readonly kind: 'run';
      readonly key: string;
      readonly request: ExecutionRequest;
      readonly packages: readonly string[];
    }
  /** After `begun`: where the rest goes. A connection may come with it, and else it is a socket. */
  | { readonly kind: 'go'; readonly key: string }
  | { readonly kind: 'cancel'; readonly key: string }
  | TranslatedMessage
  | { readonly kind: 'close' };

/** What the engine process tells. */
export type FromEngine =
  /** After `open`. */
  | { readonly kind: 'ready' }
  | AnswerMessage
  | TranslateMessage
  /** What databases use of the disk has changed. */
  | { readonly kind: 'disk'; readonly uses: readonly DiskUse[] }
  | ({ readonly kind: 'ended'; readonly key: string } & Ended)
  /** A bug: the host rejected. */
  | { readonly kind: 'broken'; readonly key: string; readonly trace: string };

/** What the engine process tells of an answer that is long, or slow. */
export type AnswerMessage =
  /** Its first bytes; the rest waits for `go`. */
  | { readonly kind: 'begun'; readonly key: string; readonly head: Uint8Array }
  /** So many bytes more have left on the connection that came with `go`. */
  | { readonly kind: 'sent'; readonly key: string; readonly bytes: number };

/** How an execution ended; a short answer is `head`, any other has left. */
export interface Ended {
  readonly outcome: ExecutionOutcome;
  readonly head: Uint8Array | null;
}
