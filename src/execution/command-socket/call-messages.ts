/** Protocol version; increase it with every change of the messages, including requests and outcomes. */
export const PROTOCOL = 4;

/** The first message of a server. */
export interface Hello {
  readonly protocol: number;
  readonly pid: number;
}

/** The last message of a server; `broken` is an internal error. */
export type CallEnd =
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'broken'; readonly trace: string };
