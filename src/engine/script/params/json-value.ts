import { type Decimal, parseNumber } from '../../../text/decimal.ts';

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

/** A number as it is printed: without needless zeros, sign or exponent. */
const NUMBER = /^(?!-0$)-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

/**
 * The value of a parameter that a user typed (docs/reference/parameters.md#values): `true`, `false`, a number that is
 * printed as the same text, or the text itself.
 */
export function readTyped(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return NUMBER.test(text) ? (parseNumber(text) ?? text) : text;
}
