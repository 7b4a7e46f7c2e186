import type { BoundScalar, BoundType, BoundValue } from '../contract/bound-value.ts';

/** The OIDs of types, and of arrays of them. */
const OIDS: Readonly<
  Record<Exclude<BoundType, 'INTEGER' | 'TIMESTAMP'>, readonly [one: number, array: number]>
> = {
  BOOLEAN: [16, 1000],
  DECIMAL: [1700, 1231],
  DOUBLE: [701, 1022],
  STRING: [25, 1009],
  DATE: [1082, 1182],
  TIME: [1083, 1183],
  BINARY: [17, 1001],
  JSON: [114, 199],
};
/** The statement determines the type. */
const UNSPECIFIED: readonly [number, number] = [0, 0];
const INTEGERS = [
  { bits: 32, oids: [23, 1007] },
  { bits: 64, oids: [20, 1016] },
] as const;
const TIMESTAMP = [1114, 1115] as const;
const TIMESTAMP_TZ = [1184, 1185] as const;

/** The OID of the type of a value; 0 if the statement determines it. */
export function findOid(value: BoundValue): number {
  if (!('items' in value)) return findOids(value)[0];
  const all = listScalars(value).map(findOids);
  // The numbers of an array have one type.
  const widest = all.find(([oid]) => oid === 1700) ?? all.find(([oid]) => oid === 20) ?? all[0];
  return (widest ?? UNSPECIFIED)[1];
}

function listScalars(value: BoundValue): readonly BoundScalar[] {
  return 'items' in value ? value.items.flatMap(listScalars) : value.text === null ? [] : [value];
}

function findOids({ type, text }: BoundScalar): readonly [one: number, array: number] {
  if (type === null) return UNSPECIFIED;
  if (type === 'TIMESTAMP') return /[Z+]|-\d\d:\d\d$/.test(text ?? '') ? TIMESTAMP_TZ : TIMESTAMP;
  if (type !== 'INTEGER') return OIDS[type];
  const number = BigInt(text ?? 0);
  return INTEGERS.find(({ bits }) => BigInt.asIntN(bits, number) === number)?.oids ?? OIDS.DECIMAL;
}

/** The text of a value, as the server reads it. */
export function printBound(value: BoundValue): string | null {
  if ('items' in value) return printArray(value.items);
  const { type, text } = value;
  return type === 'BINARY' && text !== null ? `\\x${Buffer.from(text, 'base64').toString('hex')}` : text;
}

function printArray(items: readonly BoundValue[]): string {
  const texts = items.map((item) => {
    if ('items' in item) return printArray(item.items);
    const text = printBound(item);
    return text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
  });
  return `{${texts.join(',')}}`;
}
