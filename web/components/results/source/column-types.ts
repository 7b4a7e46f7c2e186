import { type DataType, type Field, Type } from '@uwdata/flechette';
import type { ColumnType, NamedType, TimeUnit } from '../../../../src/engine/result/columns/column.ts';

/** The metadata of a field whose type Arrow does not have; its values are sent as text or bytes. */
const OWN_TYPE = 'quern.type';

const UNITS: readonly TimeUnit[] = ['second', 'millisecond', 'microsecond', 'nanosecond'];
const LABELS = ['INTERVAL', 'TIME', 'INTEGER', 'DECIMAL'] as const;

/** The type of the values of an Arrow field, as the server's writer mapped it (docs/reference/results.md). */
export function toValueType({ type, metadata }: Field): ColumnType {
  const typeName = metadata?.get(OWN_TYPE);
  switch (type.typeId) {
    case Type.Utf8:
      return toTextType(typeName);
    case Type.Binary:
      return { kind: typeName === 'GEOMETRY' ? 'geometry' : 'binary' };
    case Type.List:
      return { kind: 'list', element: toValueType(type.children[0]) };
    case Type.FixedSizeList:
      return { kind: 'list', element: toFirst(type.children), size: type.stride };
    case Type.Struct:
      return { kind: 'struct', fields: type.children.map(toNamedType) };
    case Type.Map:
      return toMapType(type.children[0]);
    default:
      return toPlainType(type);
  }
}

function toPlainType(type: DataType): ColumnType {
  switch (type.typeId) {
    case Type.Null:
      return { kind: 'null' };
    case Type.Bool:
      return { kind: 'boolean' };
    case Type.Int:
      return { kind: 'integer', bits: type.bitWidth, signed: type.signed };
    case Type.Float:
      return { kind: type.precision === 1 ? 'float' : 'double' };
    case Type.Decimal:
      return { kind: 'decimal', precision: type.precision, scale: type.scale };
    case Type.Date:
      return { kind: 'date' };
    case Type.Time:
      return { kind: 'time' };
    case Type.Timestamp:
      return { kind: 'timestamp', unit: UNITS[type.unit] ?? 'microsecond', utc: type.timezone !== null };
    default:
      throw new Error(`unknown Arrow type ${type.typeId}`);
  }
}

function toTextType(typeName: string | undefined): ColumnType {
  if (typeName === 'JSON') return { kind: 'json' };
  // Both are sent as the text of the value that they contain.
  if (typeName === 'UNION' || typeName === 'VARIANT') return { kind: 'variant' };
  return { kind: 'text', label: LABELS.find((label) => label === typeName) ?? 'STRING' };
}

function toMapType(entries: Field): ColumnType {
  const fields = entries.type.typeId === Type.Struct ? entries.type.children : [];
  return { kind: 'map', key: toFirst(fields), value: toFirst(fields.slice(1)) };
}

function toFirst([field]: readonly Field[]): ColumnType {
  if (field === undefined) throw new Error('an Arrow type without its children');
  return toValueType(field);
}

function toNamedType(field: Field): NamedType {
  return { name: field.name, type: toValueType(field) };
}
