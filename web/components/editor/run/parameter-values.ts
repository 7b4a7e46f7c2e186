import { readTyped } from '../../../../src/engine/script/params/json-value.ts';
import type { DerivedParameter } from '../../../api/editor/check-script.ts';

/** The typed values of parameters, by name. */
export type Values = Readonly<Record<string, string>>;

/** The values to show: the remembered ones, or else those that the script suggests. Others are dropped. */
export function fillValues(parameters: readonly DerivedParameter[], remembered: Values): Values {
  return Object.fromEntries(
    parameters.map(({ name, default: suggested }) => [name, remembered[name] ?? String(suggested ?? '')]),
  );
}

/** The parameters without a value that the script needs. */
export function findMissing(parameters: readonly DerivedParameter[], values: Values): readonly string[] {
  return parameters
    .filter(({ name, is_required: isRequired }) => isRequired && !values[name])
    .map(({ name }) => name);
}

/** Why a value does not fit the type of its parameter; null if it does. */
export function findFault({ type }: DerivedParameter, value: string): string | null {
  if (value === '') return null;
  if (type === 'number' && !Number.isFinite(Number(value))) return 'Enter a number';
  return null;
}

/**
 * The values as a run takes them, without a known type as on the command line. A number that would lose digits stays a
 * text.
 */
export function toParams(
  parameters: readonly DerivedParameter[],
  values: Values,
): Readonly<Record<string, string | number | boolean>> {
  const filledParameters = parameters.filter(({ name }) => (values[name] ?? '') !== '');
  return Object.fromEntries(
    filledParameters.map(({ name, type }) => [name, convert(type, values[name] ?? '')]),
  );
}

function convert(type: DerivedParameter['type'], value: string): string | number | boolean {
  if (type === 'string') return value;
  if (type === 'number') return isExact(value) ? Number(value) : value;
  const typed = readTyped(value);
  if (typeof typed === 'boolean' || typeof typed === 'string') return typed;
  return isExact(value) ? Number(value) : value;
}

/** The decimal digits that every double keeps. */
const EXACT_DIGITS = 15;

/** Whether a text is a number that keeps all its digits as a double. */
function isExact(value: string): boolean {
  const digits = value.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  return Number.isFinite(Number(value)) && digits.length <= EXACT_DIGITS;
}

/** The argument of a block: JSON such as `3` or `[1, 2]`, else the text itself. */
export function toArgument(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
