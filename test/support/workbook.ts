import { crc32, deflateRawSync } from 'node:zlib';

interface ZipPart {
  readonly name: string;
  readonly data: Buffer;
  /** The size that the archive claims; undefined: that of `data`. */
  readonly size?: number;
  readonly isEncrypted?: boolean;
}

/** A zip archive, written by hand: every second part is stored, the others are deflated. */
export function makeZip(parts: readonly ZipPart[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [at, { name, data, size = data.length, isEncrypted = false }] of parts.entries()) {
    const method = at % 2 === 0 ? 8 : 0;
    const packed = method === 8 ? deflateRawSync(data) : data;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(isEncrypted ? 1 : 0, 2);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(crc32(data), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(size, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    local.push(Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed);
    central.push(Buffer.from('PK\x01\x02\x14\0'), shared, rest, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, list, end]);
}

const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The parts of a workbook, written by hand. */
export interface WorkbookParts {
  /** The content of `sheetData`. */
  readonly rows: string;
  /** Elements `si`. */
  readonly strings?: string;
  /** Codes of formats; the style 1 is the first one. */
  readonly formats?: readonly string[];
  readonly is1904?: boolean;
}

/** The files of a workbook with one sheet, `S`. */
export function listParts({ rows, strings, formats = [], is1904 = false }: WorkbookParts) {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`;
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships>${relation('a', 'officeDocument', '/book/main.xml')}</Relationships>`,
    'book/main.xml':
      `<x:workbook xmlns:x="${MAIN}" xmlns:q="${TYPES}"><!-- <x:sheet/> --><x:workbookPr date1904='${is1904}'/>` +
      `<x:sheets><x:sheet name="S" q:id="s"/></x:sheets></x:workbook>`,
    'book/_rels/main.xml.rels': `<Relationships>${[
      relation('s', 'worksheet', '../one.xml'),
      relation('t', 'sharedStrings', 'texts.xml'),
      relation('f', 'styles', 'styles.xml'),
    ].join('')}</Relationships>`,
    'book/texts.xml': `<sst>${strings ?? ''}</sst>`,
    'book/styles.xml':
      `<styleSheet><numFmts>${formats
        .map((code, at) => `<numFmt numFmtId="${at + 200}" formatCode="${code}"/>`)
        .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>` +
      `${formats.map((_, at) => `<xf numFmtId="${at + 200}"/>`).join('')}</cellXfs></styleSheet>`,
    'one.xml': `<?xml version="1.0"?>\n<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  };
  return Object.entries(parts).map(([name, text]) => ({ name, data: Buffer.from(text) }));
}

/** A workbook with one sheet, `S`. */
export function makeWorkbook(parts: WorkbookParts): Buffer {
  return makeZip(listParts(parts));
}
