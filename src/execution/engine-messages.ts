import type { ExecutionOutcome } from './outcome.ts';
import type { ExecutionRequest } from './request.ts';

/** Letters of the random key by which both sides call an execution; its socket begins with it. */
export const KEY_LENGTH = 36;

/** What the engine process is told, in order. */
export type ToEngine =
  /** The first message: the path of the socket to which answers go. */
  | { readonly kind: 'open'; readonly socket: string }
  /** A package, serialized, to keep until it is to be forgotten. */
  | { readonly kind: 'package'; readonly hash: string; readonly bytes: Uint8Array }
  | { readonly kind: 'forget'; readonly hash: string }
  /** `packages`, by their hashes, are those of the snapshot, which itself comes without. */
  | {
      readonly kind: 'run';
      readonly key: string;
      readonly request: ExecutionRequest;
      readonly packages: readonly string[];
    }
  | { readonly kind: 'cancel'; readonly key: string }
  | { readonly kind: 'close' };

/** What the engine process tells. */
export type FromEngine =
  /** After `open`. */
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'ended'; readonly key: string } & Ended)
  /** A bug: the host rejected. */
  | { readonly kind: 'broken'; readonly key: string; readonly trace: string };

/** How an execution ended, and its answer's length; a short answer is `head`, any other went to the socket. */
export interface Ended {
  readonly outcome: ExecutionOutcome;
  readonly bytes: number;
  readonly head: Uint8Array | null;
}
