import type { Decimal } from '../../../text/decimal.ts';

/** A JSON value; integers that a double cannot represent exactly are bigints, numbers with a point decimals. */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | Decimal
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A string that only equal values share; a string and a number with the same text are not equal. */
export function printKey(value: JsonValue | Readonly<Record<string, JsonValue>>): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'string') return `s${part}`;
    return typeof part === 'bigint' ? `n${part}` : part;
  });
}
