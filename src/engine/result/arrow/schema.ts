import { Builder } from 'flatbuffers';

import type { Column, ColumnType, TimeUnit } from '../columns/column.ts';
import { SCHEMA, toMessage } from './message.ts';

/** A type of Arrow: `id` is its number in `Type`, `add` writes its table and returns the offset. */
interface ArrowType {
  readonly id: number;
  readonly add: (builder: Builder) => number;
  readonly children?: readonly ArrowField[];
}

interface ArrowField {
  readonly name: string;
  readonly nullable: boolean;
  readonly type: ArrowType;
  /** The value of the metadata `quern.type`; null if the type of Arrow says everything. */
  readonly ownType: string | null;
}

type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;
type ToArrowType<K extends ColumnType['kind']> = (type: KindOf<K>) => ArrowType;

/** The first message of a stream: one nullable field for each column, with any name. */
export function createSchemaMessage(columns: readonly Column[]): Uint8Array {
  const builder = new Builder();
  const fields = addFields(
    builder,
    columns.map(({ name, type }) => toField(name, type)),
  );
  builder.startObject(4);
  builder.addFieldOffset(1, fields, 0);
  return toMessage(builder, SCHEMA, builder.endObject(), 0);
}

function addFields(builder: Builder, fields: readonly ArrowField[]): number {
  const offsets = fields.map((field) => addField(builder, field));
  builder.startVector(4, offsets.length, 4);
  for (const offset of offsets.toReversed()) builder.addOffset(offset);
  return builder.endVector();
}

function addField(builder: Builder, { name, nullable, type, ownType }: ArrowField): number {
  const text = builder.createString(name);
  const table = type.add(builder);
  const children = addFields(builder, type.children ?? []);
  const metadata = ownType === null ? 0 : addMetadata(builder, ownType);
  builder.startObject(7);
  builder.addFieldOffset(0, text, 0);
  builder.addFieldInt8(1, Number(nullable), 0);
  builder.addFieldInt8(2, type.id, 0);
  builder.addFieldOffset(3, table, 0);
  builder.addFieldOffset(5, children, 0);
  builder.addFieldOffset(6, metadata, 0);
  return builder.endObject();
}

/** The name of the metadata with the type of a field. */
const OWN_TYPE = 'quern.type';

function addMetadata(builder: Builder, ownType: string): number {
  const [key, value] = [builder.createString(OWN_TYPE), builder.createString(ownType)];
  builder.startObject(2);
  builder.addFieldOffset(0, key, 0);
  builder.addFieldOffset(1, value, 0);
  const pair = builder.endObject();
  builder.startVector(4, 1, 4);
  builder.addOffset(pair);
  return builder.endVector();
}

function toField(name: string, type: ColumnType, nullable = true): ArrowField {
  const toType = ARROW_TYPES[type.kind] as (type: ColumnType) => ArrowType;
  return { name, nullable, type: toType(type), ownType: findOwnType(type) };
}

/** The type of values that are sent as text or bytes, on which their text inside other values depends. */
function findOwnType(type: ColumnType): string | null {
  if (type.kind === 'text') return type.label === 'STRING' ? null : type.label;
  if (type.kind === 'uhugeint') return 'INTEGER';
  return ['json', 'geometry', 'union', 'variant'].includes(type.kind) ? type.kind.toUpperCase() : null;
}

/** A type whose table has no fields. */
function plain(id: number): ArrowType {
  return { id, add: (builder) => addTable(builder, 0, () => {}) };
}

function addTable(builder: Builder, fields: number, fill: () => void): number {
  builder.startObject(fields);
  fill();
  return builder.endObject();
}

function toDecimal(precision: number, scale: number): ArrowType {
  const add = (builder: Builder) =>
    addTable(builder, 3, () => {
      builder.addFieldInt32(0, precision, 0);
      builder.addFieldInt32(1, scale, 0);
    });
  return { id: 7, add };
}

function toFloat(precision: 1 | 2): ArrowType {
  return { id: 3, add: (builder) => addTable(builder, 1, () => builder.addFieldInt16(0, precision, 0)) };
}

function toStruct(children: readonly ArrowField[]): ArrowType {
  return { ...plain(13), children };
}

const UTF8 = plain(5);
const BINARY = plain(4);
const UNITS: Readonly<Record<TimeUnit, number>> = {
  second: 0,
  millisecond: 1,
  microsecond: 2,
  nanosecond: 3,
};

const toInteger: ToArrowType<'integer'> = ({ bits, signed }) => ({
  id: 2,
  add: (builder) =>
    addTable(builder, 2, () => {
      builder.addFieldInt32(0, bits, 0);
      builder.addFieldInt8(1, Number(signed), 0);
    }),
});

const toTimestamp: ToArrowType<'timestamp'> = ({ unit, utc }) => ({
  id: 10,
  add(builder) {
    const zone = utc ? builder.createString('UTC') : 0;
    return addTable(builder, 2, () => {
      builder.addFieldInt16(0, UNITS[unit], 0);
      builder.addFieldOffset(1, zone, 0);
    });
  },
});

const toList: ToArrowType<'list'> = ({ element, size }) => {
  const children = [toField('item', element)];
  if (size === undefined) return { ...plain(12), children };
  const add = (builder: Builder) => addTable(builder, 1, () => builder.addFieldInt32(0, size, 0));
  return { id: 16, add, children };
};

/** Pairs in a struct; a key is never NULL. */
const toMap: ToArrowType<'map'> = ({ key, value }) => {
  const pair = toStruct([toField('key', key, false), toField('value', value)]);
  return {
    id: 17,
    add: (builder) => addTable(builder, 1, () => {}),
    children: [{ name: 'entries', nullable: false, type: pair, ownType: null }],
  };
};

/** The Arrow column of a type (docs/reference/results.md#types). */
const ARROW_TYPES: { readonly [K in ColumnType['kind']]: ToArrowType<K> } = {
  null: () => plain(1),
  boolean: () => plain(6),
  integer: toInteger,
  hugeint: () => toDecimal(38, 0),
  uhugeint: () => UTF8,
  decimal: ({ precision, scale }) => toDecimal(precision, scale),
  float: () => toFloat(1),
  double: () => toFloat(2),
  // Days; milliseconds are the default.
  date: () => ({ id: 8, add: (builder) => addTable(builder, 1, () => builder.addFieldInt16(0, 0, 1)) }),
  time: () => ({
    id: 9,
    add: (builder) =>
      addTable(builder, 2, () => {
        builder.addFieldInt16(0, UNITS.microsecond, UNITS.millisecond);
        builder.addFieldInt32(1, 64, 32);
      }),
  }),
  timestamp: toTimestamp,
  text: () => UTF8,
  json: () => UTF8,
  binary: () => BINARY,
  geometry: () => BINARY,
  list: toList,
  struct: ({ fields }) => toStruct(fields.map(({ name, type }) => toField(name, type))),
  map: toMap,
  union: () => UTF8,
  variant: () => UTF8,
};
