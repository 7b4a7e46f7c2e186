/** The times of an execution (docs/reference/results.md#documents): ISO 8601 in UTC; `duration_ms` is an integer. */
export interface Stats {
  readonly started_at: string;
  readonly finished_at: string;
  readonly duration_ms: number;
}
