import { parseNumber } from '../../../text/decimal.ts';
import type { JsonValue } from './json-value.ts';

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
