/** Raised with every change of what callers and servers say to one another, requests and outcomes among it. */
export const PROTOCOL = 3;

/** What a server says first. */
export interface Hello {
  readonly protocol: number;
  readonly pid: number;
}

/** What a server says last; `broken` is a bug. */
export type CallEnd =
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'broken'; readonly trace: string };
