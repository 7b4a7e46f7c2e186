import { readTyped } from '../../../../src/engine/script/params/json-value.ts';
import type { DerivedParameter } from '../../../api/editor/check-script.ts';

/** The typed values of parameters, by name. */
export type Values = Readonly<Record<string, string>>;

/** The remembered values of parameters. Those that are not among the choices any more are dropped: the default applies. */
export function fillValues(parameters: readonly DerivedParameter[], remembered: Values): Values {
  return Object.fromEntries(
    parameters.map((parameter) => {
      const value = remembered[parameter.name] ?? '';
      return [parameter.name, isChoice(parameter, value) ? value : ''];
    }),
  );
}

function isChoice({ values }: DerivedParameter, value: string): boolean {
  return values === null || values.some((choice) => String(choice) === value);
}

/** Whether a run needs a value that the user has to enter. */
export function needsValue({ is_required: isRequired, default: value }: DerivedParameter): boolean {
  return isRequired && value === null;
}

/** The parameters without a value that the script needs. */
export function findMissing(parameters: readonly DerivedParameter[], values: Values): readonly string[] {
  return parameters
    .filter((parameter) => needsValue(parameter) && !values[parameter.name])
    .map(({ name }) => name);
}

/** Why a value does not fit the type of its parameter; null if it does. */
export function findFault({ type }: DerivedParameter, value: string): string | null {
  if (value === '') return null;
  if (type === 'number' && !Number.isFinite(Number(value))) return 'Enter a number';
  return null;
}

/** The parameters whose values do not fit their types. */
export function findInvalid(parameters: readonly DerivedParameter[], values: Values): readonly string[] {
  return parameters
    .filter((parameter) => findFault(parameter, values[parameter.name] ?? '') !== null)
    .map(({ name }) => name);
}

/**
 * The values as a run takes them, without a known type as on the command line; an empty field stands for the default.
 * A number that would lose digits stays a text.
 */
export function toParams(
  parameters: readonly DerivedParameter[],
  values: Values,
): Readonly<Record<string, string | number | boolean>> {
  return Object.fromEntries(
    parameters.flatMap(({ name, type, default: suggested }) => {
      const value = values[name] || String(suggested ?? '');
      return value === '' ? [] : [[name, convert(type, value)]];
    }),
  );
}

function convert(type: DerivedParameter['type'], value: string): string | number | boolean {
  if (type === 'string' || type === 'date' || type === 'timestamp') return value;
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
