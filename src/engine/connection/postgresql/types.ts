import type { ColumnType } from '../../result/columns/column.ts';
import { booleanDecoder, hexDecoder } from '../text/bytes.ts';
import { createTextDecoder, nameColumn, type TextDecoder } from '../text/field.ts';
import { createListDecoder } from '../text/lists.ts';
import { createDecimalDecoder, createIntegerDecoder, doubleDecoder, floatDecoder } from '../text/numbers.ts';
import { createTimestampDecoder, dateDecoder, timeDecoder } from '../text/times.ts';
import type { FieldDescription } from './messages.ts';

type Factory = (modifier: number) => TextDecoder;

const MAX_DIGITS = 38;
/** Offset in the modifier of a type with a length. */
const MODIFIER_HEAD = 4;

function text(label: Extract<ColumnType, { readonly kind: 'text' }>['label']): Factory {
  const decoder = createTextDecoder({ kind: 'text', label });
  return () => decoder;
}

const always =
  (decoder: TextDecoder): Factory =>
  () =>
    decoder;
const string = text('STRING');
const number = text('DECIMAL');
const json = always(createTextDecoder({ kind: 'json' }));

/**
 * A numeric with declared digits, or one of any length, such as most expressions. The zero before the point counts as a
 * digit, so that both are printed with it.
 */
function createNumericDecoder(modifier: number): TextDecoder {
  const scale = (modifier - MODIFIER_HEAD) & 0x7ff;
  const precision = Math.max(((modifier - MODIFIER_HEAD) >> 16) & 0xffff, scale + 1);
  const isPlain = modifier >= MODIFIER_HEAD && precision <= MAX_DIGITS;
  return isPlain ? createDecimalDecoder(precision, scale) : number(modifier);
}

/**
 * PostgreSQL's built-in types by object id, with the ids of their arrays; all others are text
 * (docs/reference/databases.md#types).
 */
const TYPES: readonly (readonly [id: number, array: number, factory: Factory])[] = [
  [16, 1000, always(booleanDecoder)],
  [21, 1005, always(createIntegerDecoder(16, true))],
  [23, 1007, always(createIntegerDecoder(32, true))],
  [20, 1016, always(createIntegerDecoder(64, true))],
  [26, 1028, always(createIntegerDecoder(32, false))],
  [700, 1021, always(floatDecoder)],
  [701, 1022, always(doubleDecoder)],
  [1700, 1231, createNumericDecoder],
  [1082, 1182, always(dateDecoder)],
  [1083, 1183, always(timeDecoder)],
  [1266, 1270, text('TIME')],
  [1114, 1115, always(createTimestampDecoder(false))],
  [1184, 1185, always(createTimestampDecoder(true))],
  [1186, 1187, text('INTERVAL')],
  [17, 1001, always(hexDecoder)],
  [114, 199, json],
  [3802, 3807, json],
  [18, 1002, string],
  [19, 1003, string],
  [25, 1009, string],
  [1042, 1014, string],
  [1043, 1015, string],
  [1560, 1561, string],
  [1562, 1563, string],
  [2950, 2951, string],
  [142, 143, string],
  [600, 1017, string],
  [650, 651, string],
  [774, 775, string],
  [790, 791, string],
  [829, 1040, string],
  [869, 1041, string],
  [2205, 2210, string],
  [3614, 3643, string],
  [3615, 3645, string],
  [3904, 3905, string],
  [3906, 3907, string],
  [3908, 3909, string],
  [3910, 3911, string],
  [3912, 3913, string],
  [3926, 3927, string],
  [4072, 4073, string],
];

const FACTORIES = new Map<number, Factory>(
  TYPES.flatMap(([id, array, factory]): (readonly [number, Factory])[] => [
    [id, factory],
    [array, (modifier) => createListDecoder(factory(modifier))],
  ]),
);

/** The decoder of a column. */
export function createDecoder({ name, type, modifier }: FieldDescription): TextDecoder {
  return nameColumn(name, (FACTORIES.get(type) ?? string)(modifier));
}
