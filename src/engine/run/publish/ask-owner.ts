/** A file that a block publishes. */
interface PublishedBy {
  /** From the folder for published files, without links. */
  readonly path: string;
  /** The name of the script with the block. */
  readonly script: string;
}

/**
 * A step of the publication of a file (docs/reference/publishing.md#owners): `check` before it is written, `claim` just
 * before it gets its path, `keep` when it has its path, and `withdraw` when it did not get it. The new file has its inode
 * before and after it gets its path.
 */
export type FileStep = PublishedBy &
  ({ readonly step: 'check' } | { readonly step: 'claim' | 'keep' | 'withdraw'; readonly inode: string });

/** Whether the step may be taken; `usedBytes` is the size of the other files of the user, which only `check` counts. */
export type FileAnswer =
  | { readonly status: 'allowed'; readonly usedBytes: number }
  | { readonly status: 'refused'; readonly message: string };

/**
 * Takes a step where the owners of files are recorded. The result is ignored after `signal` is aborted; otherwise it
 * rejects only for an internal error.
 */
export type AskOwner = (step: FileStep, signal: AbortSignal) => Promise<FileAnswer>;

/** Allows everything: files have no owners. */
export const askNoOwner: AskOwner = async () => ({ status: 'allowed', usedBytes: 0 });
