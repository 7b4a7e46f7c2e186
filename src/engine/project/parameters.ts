import { elementAt } from '../../invariants/must.ts';
import { createDecimal, type Decimal, parseNumber } from '../../text/decimal.ts';
import type { TomlField, TomlFields } from './read-toml.ts';

/** The value of a parameter in a manifest, as JSON would have it. */
type ParameterValue = string | number | bigint | boolean | Decimal | readonly ParameterValue[];

/** Parameters by name, without `$`. */
export type Parameters = Readonly<Record<string, ParameterValue>>;

const NAME = /^[A-Za-z_]\w*$/;
const TYPES = 'a string, a number, true or false, or a list of these';
const DATE_HINT = ': write a date as a string, such as "2026-01-15"';
/** Digits that every number with a point keeps. */
const MAX_DIGITS = 15;

/** Reads a table of parameters (docs/reference/projects.md#parameters). */
export function readParameters(fields: TomlFields, table: TomlField): Parameters {
  const values = fields.table(table).flatMap((field) => {
    const name = elementAt(field.path, -1);
    if (!NAME.test(name)) fields.refuse(field.path, describeName(name));
    const value = readValue(fields, field);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}

function describeName(name: string): string {
  const near = name.replaceAll(/\W/g, ' ').trim().replaceAll(/\s+/g, '_');
  const hint = NAME.test(near) ? `, such as \`${near}\`` : '';
  return `\`${name}\` is not a parameter name: use letters, digits and _, and no digit at the start${hint}`;
}

/** Undefined for a value of another type, which is an error. */
function readValue(fields: TomlFields, field: TomlField): ParameterValue | undefined {
  const { path, value } = field;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'number') return readDecimal(fields, path, value);
  if (!Array.isArray(value)) {
    fields.refuseType(field, TYPES, value instanceof Date ? DATE_HINT : '');
    return undefined;
  }
  return value
    .map((item: unknown, at) => readValue(fields, { path: [...path, String(at)], value: item }))
    .filter((item) => item !== undefined);
}

/** A number with a point or an exponent, which the parser of TOML has rounded to a double. */
function readDecimal(fields: TomlFields, path: TomlField['path'], value: number): Decimal | undefined {
  const exact = Number.isFinite(value) ? parseNumber(String(value)) : null;
  const isWhole = typeof exact === 'bigint';
  const decimal = isWhole ? createDecimal(exact * 10n, 1n) : exact;
  const digits = String(value).replace(/e.*/, '').replaceAll(/\D/g, '').replace(/^0+/, '');
  if (decimal !== null && digits.length <= MAX_DIGITS) return decimal;
  const problem = decimal === null ? 'is not a number' : `has more than ${MAX_DIGITS} digits`;
  fields.refuse(path, `\`${path.join('.')}\` ${problem}: write it as a string`);
  return undefined;
}
