import { toDoubleText } from './number-text.ts';

/** The kinds of geometry in well-known binary, by number. */
const KINDS: readonly string[] = [
  '',
  'POINT',
  'LINESTRING',
  'POLYGON',
  'MULTIPOINT',
  'MULTILINESTRING',
  'MULTIPOLYGON',
  'GEOMETRYCOLLECTION',
];

interface Reader {
  readonly view: DataView;
  at: number;
}

/** Little-endian well-known binary as well-known text: `POINT (1 2)`. */
export function toGeometryText(bytes: Uint8Array): string {
  return printTagged({ view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), at: 0 });
}

/** A geometry with its name. */
function printTagged(reader: Reader): string {
  const { kind, dimensions, suffix } = readHeader(reader);
  return `${KINDS[kind]}${suffix} ${printBody(reader, kind, dimensions)}`;
}

/** One byte of byte order, then a number: its thousands are flags for the dimensions Z and M. */
function readHeader(reader: Reader): { kind: number; dimensions: number; suffix: string } {
  reader.at += 1;
  const number = readCount(reader) & 0xffff;
  const flags = Math.floor(number / 1000);
  const [hasZ, hasM] = [(flags & 1) !== 0, (flags & 2) !== 0];
  const suffix = `${hasZ || hasM ? ' ' : ''}${hasZ ? 'Z' : ''}${hasM ? 'M' : ''}`;
  return { kind: number % 1000, dimensions: 2 + Number(hasZ) + Number(hasM), suffix };
}

type PrintBody = (reader: Reader, dimensions: number) => string;

function printBody(reader: Reader, kind: number, dimensions: number): string {
  const print = BODIES[kind];
  if (print === undefined) throw new Error(`unknown kind of geometry: ${kind}`);
  return print(reader, dimensions);
}

const printPoints: PrintBody = (reader, dimensions) =>
  printList(reader, () => printPoint(reader, dimensions));
const printRings: PrintBody = (reader, dimensions) =>
  printList(reader, () => printPoints(reader, dimensions));

const BODIES: readonly (PrintBody | undefined)[] = [
  undefined,
  (reader, dimensions) => printPoint(reader, dimensions).replace(/^(?!EMPTY).*/, '($&)'),
  printPoints,
  printRings,
  (reader) => printList(reader, () => printPart(reader, printPoint)),
  (reader) => printList(reader, () => printPart(reader, printPoints)),
  (reader) => printList(reader, () => printPart(reader, printRings)),
  (reader) => printList(reader, () => printTagged(reader)),
];

/** A geometry inside a geometry that already has the name. */
function printPart(reader: Reader, print: PrintBody): string {
  return print(reader, readHeader(reader).dimensions);
}

function printList(reader: Reader, print: () => string): string {
  const parts = Array.from({ length: readCount(reader) }, print);
  return parts.length === 0 ? 'EMPTY' : `(${parts.join(', ')})`;
}

/** A point whose coordinates are all NaN is empty. */
function printPoint(reader: Reader, dimensions: number): string {
  const coordinates = Array.from({ length: dimensions }, () => readCoordinate(reader));
  if (coordinates.every(Number.isNaN)) return 'EMPTY';
  return coordinates.map(printCoordinate).join(' ');
}

function printCoordinate(value: number): string {
  return toDoubleText(value).replace(/\.0$/, '');
}

function readCount(reader: Reader): number {
  reader.at += 4;
  return reader.view.getUint32(reader.at - 4, true);
}

function readCoordinate(reader: Reader): number {
  reader.at += 8;
  return reader.view.getFloat64(reader.at - 8, true);
}
