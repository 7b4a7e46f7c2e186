/** A range of a string: UTF-16 offsets, `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
