import { type ColumnType, isValid } from '../../result/columns/column.ts';
import { booleanDecoder } from '../text/bytes.ts';
import { createTextDecoder, nameColumn, type TextDecoder } from '../text/field.ts';
import { createDecimalDecoder, createIntegerDecoder, doubleDecoder, floatDecoder } from '../text/numbers.ts';
import { timeDecoder } from '../text/times.ts';
import { createListDecoder, createMapDecoder, createRowDecoder } from './nested.ts';
import type { ColumnDescription, TypeArgument, TypeSignature } from './page.ts';
import { createTimestampDecoder, dateDecoder } from './times.ts';

/** A column of bare NULLs. */
const nullDecoder: TextDecoder = {
  type: { kind: 'null' },
  decode: ({ validity }) => ({ kind: 'fixed', validity, data: new Uint8Array(0) }),
};

/** Bytes in base64. */
const base64Decoder: TextDecoder = {
  type: { kind: 'binary' },
  decode({ bytes, starts, lengths, rows, validity }) {
    const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let total = 0;
    for (let row = 0; row < rows; row += 1) total += Math.ceil((Math.max(lengths[row]!, 0) * 3) / 4);
    const decoded = Buffer.from(new ArrayBuffer(total));
    const [ownStarts, ownLengths] = [new Int32Array(rows), new Int32Array(rows)];
    let at = 0;
    for (let row = 0; row < rows; row += 1) {
      ownStarts[row] = at;
      if (!isValid(validity, row)) continue;
      const start = starts[row]!;
      const writtenBytes = decoded.write(
        source.toString('latin1', start, start + lengths[row]!),
        at,
        'base64',
      );
      ownLengths[row] = writtenBytes;
      at += writtenBytes;
    }
    return { kind: 'bytes', validity, bytes: decoded, starts: ownStarts, lengths: ownLengths };
  },
};

type Factory = (signature: TypeSignature) => TextDecoder;

/** Maximum digits of a second that times and timestamps of results have; more are text. */
const TIME_DIGITS = 6;
const STAMP_DIGITS = 9;
/** Types whose values are texts in JSON, also when they are keys of a map. */
const NESTED: ReadonlySet<string> = new Set(['array', 'map', 'row']);

function text(label: Extract<ColumnType, { readonly kind: 'text' }>['label']): TextDecoder {
  return createTextDecoder({ kind: 'text', label });
}

const always =
  (decoder: TextDecoder): Factory =>
  () =>
    decoder;
const string = text('STRING');
const time = text('TIME');
const interval = text('INTERVAL');

/** The whole number that is the argument of a type at a position. */
function readNumber({ arguments: args }: TypeSignature, at: number): number {
  const argument = args[at];
  return argument?.kind === 'LONG' ? argument.value : 0;
}

const timestamp =
  (utc: boolean): Factory =>
  (signature) => {
    const precision = readNumber(signature, 0);
    return precision > STAMP_DIGITS ? string : createTimestampDecoder(precision, utc);
  };

const decimal: Factory = (signature) =>
  createDecimalDecoder(readNumber(signature, 0), readNumber(signature, 1));

/** The server does not quote the parts of nested keys. */
const map: Factory = ({ arguments: [key, value] }) => {
  const keyType = readType(key);
  const isPlain = keyType !== undefined && !NESTED.has(keyType.rawType);
  return createMapDecoder(isPlain ? findDecoder(keyType) : string, findDecoder(readType(value)));
};

const row: Factory = ({ arguments: fields }) =>
  createRowDecoder(
    fields.map((field) => ({
      name: field.kind === 'NAMED_TYPE' ? (field.value.fieldName?.name ?? '') : '',
      decoder: findDecoder(readType(field)),
    })),
  );

function readType(argument: TypeArgument | undefined): TypeSignature | undefined {
  if (argument?.kind === 'TYPE') return argument.value;
  return argument?.kind === 'NAMED_TYPE' ? argument.value.typeSignature : undefined;
}

/**
 * Trino's types by name (docs/reference/trino.md#rows); all others are text. Times keep up to 6 digits of a second and
 * timestamps up to 9; those with more are text. A time with time zone is text, and a timestamp with time zone is
 * converted to UTC.
 */
const FACTORIES: ReadonlyMap<string, Factory> = new Map<string, Factory>([
  ['boolean', always(booleanDecoder)],
  ['tinyint', always(createIntegerDecoder(8, true))],
  ['smallint', always(createIntegerDecoder(16, true))],
  ['integer', always(createIntegerDecoder(32, true))],
  ['bigint', always(createIntegerDecoder(64, true))],
  ['real', always(floatDecoder)],
  ['double', always(doubleDecoder)],
  ['decimal', decimal],
  ['date', always(dateDecoder)],
  ['time', (signature) => (readNumber(signature, 0) > TIME_DIGITS ? time : timeDecoder)],
  ['time with time zone', always(time)],
  ['timestamp', timestamp(false)],
  ['timestamp with time zone', timestamp(true)],
  ['interval day to second', always(interval)],
  ['interval year to month', always(interval)],
  ['varbinary', always(base64Decoder)],
  ['json', always(createTextDecoder({ kind: 'json' }))],
  ['unknown', always(nullDecoder)],
  ['array', ({ arguments: [element] }) => createListDecoder(findDecoder(readType(element)))],
  ['map', map],
  ['row', row],
]);

function findDecoder(signature: TypeSignature | undefined): TextDecoder {
  if (signature === undefined) return string;
  return (FACTORIES.get(signature.rawType) ?? always(string))(signature);
}

/** The decoder of a column. */
export function createDecoder({ name, typeSignature }: ColumnDescription): TextDecoder {
  return nameColumn(name, findDecoder(typeSignature));
}
