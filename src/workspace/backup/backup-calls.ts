/** The backup that a process writes. Paths are absolute. */
export interface BackupCall {
  readonly kind: 'write';
  readonly home: string;
  readonly target: string;
  /** A folder for copies, and the file to write; the process removes both when its server ends. */
  readonly stage: string;
  readonly aside: string;
}

/** What a server sends to the process; `held`: the server has no DuckDB file open. */
export type ToBackupProcess = BackupCall | { readonly kind: 'held' };

/** What the process sends to its server. */
export type FromBackupProcess =
  /** Asks the server to release its DuckDB files, and to open them again. */
  | { readonly kind: 'hold' }
  | { readonly kind: 'release' }
  | { readonly kind: 'done' }
  /** `message` is for administrators; null for an internal error, whose trace is for the log. */
  | { readonly kind: 'failed'; readonly message: string | null; readonly trace: string };
