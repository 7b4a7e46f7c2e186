import { RELATIONS } from '../../engine/result/xlsx/sheet-format.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { elementAt } from '../../invariants/must.ts';
import { sheetErrors } from './errors.ts';
import { findSerialKind, type SerialKind } from './number-format.ts';
import { decodeXml, readAttributes, XmlError, type XmlHandler, XmlReader } from './xml-reader.ts';
import { ZipArchive } from './zip-archive.ts';

/** What the cells of a sheet refer to. */
export interface Workbook {
  readonly archive: ZipArchive;
  /** The name of the file in messages. */
  readonly name: string;
  readonly is1904: boolean;
  readonly strings: readonly string[];
  /** What the numbers of each style stand for. */
  readonly styles: readonly SerialKind[];
  readonly sheet: Sheet;
}

interface Sheet {
  readonly name: string;
  /** The name of its file in the archive. */
  readonly part: string;
}

interface Relation {
  readonly id: string;
  /** The last word of its type, such as `worksheet`. */
  readonly type: string;
  readonly target: string;
}

/** The maximum size of texts that cells share, and of each list in memory, in bytes. */
const MAX_LIST = 256 * 1024 * 1024;

/** Opens a workbook and finds a sheet. Rejects with a ServiceError for a workbook that cannot be read. */
export async function openWorkbook(
  { path, name }: { readonly path: string; readonly name: string },
  sheetName: string | undefined,
): Promise<Workbook> {
  const archive = await ZipArchive.open(path, name);
  if (archive.has('EncryptedPackage')) throw sheetErrors.encrypted(name);
  if (!archive.has('_rels/.rels')) throw sheetErrors.otherWorkbook(name);
  const file = { archive, name };
  const root = (await readRelations(file, '')).find(({ type }) => type === RELATIONS.workbook);
  if (root === undefined || !/\.xml$/i.test(root.target)) throw sheetErrors.otherWorkbook(name);
  const relations = await readRelations(file, root.target);
  const { sheets, is1904 } = await readSheets(file, root.target, relations);
  const sheet = chooseSheet(name, sheets, sheetName);
  const find = (wanted: string) => relations.find(({ type }) => type === wanted)?.target;
  return {
    ...file,
    sheet,
    is1904,
    strings: await readStrings(file, find(RELATIONS.strings)),
    styles: await readStyles(file, find(RELATIONS.styles)),
  };
}

type OpenFile = Pick<Workbook, 'archive' | 'name'>;

/** Reads a part of a workbook. Rejects with a ServiceError 422 for a damaged one. */
export async function* readPart(
  { archive, name }: OpenFile,
  part: string,
  handler: XmlHandler,
  maxSize?: number,
): AsyncIterable<void> {
  const reader = new XmlReader(handler);
  let decoder: TextDecoder | undefined;
  try {
    for await (const bytes of archive.read(part, maxSize)) {
      decoder ??= new TextDecoder(findEncoding(bytes), { fatal: true });
      reader.take(decoder.decode(bytes, { stream: true }));
      yield;
    }
    reader.take(decoder?.decode() ?? '');
    reader.end();
  } catch (error) {
    if (error instanceof ServiceError || !(error instanceof XmlError || error instanceof TypeError))
      throw error;
    const reason = error instanceof XmlError ? error.message : 'its text is not Unicode';
    throw sheetErrors.damaged(name, `${part}: ${reason}`);
  }
}

function findEncoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

async function readAll(file: OpenFile, part: string, handler: XmlHandler): Promise<void> {
  for await (const _ of readPart(file, part, handler, MAX_LIST)) {
    // The handler keeps what it needs.
  }
}

const IGNORED = { open: () => {}, close: () => {}, text: () => {} };

async function readRelations(file: OpenFile, part: string): Promise<readonly Relation[]> {
  const slash = part.lastIndexOf('/') + 1;
  const [folder, base] = [part.slice(0, slash), part.slice(slash)];
  const list = `${folder}_rels/${base}.rels`;
  const relations: Relation[] = [];
  if (!file.archive.has(list)) return relations;
  await readAll(file, list, {
    ...IGNORED,
    open: (name, text) => {
      if (name !== 'Relationship') return;
      const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } = readAttributes(text);
      if (mode === 'External') return;
      relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: resolve(folder, target) });
    },
  });
  return relations;
}

function resolve(folder: string, target: string): string {
  return new URL(target, `file:///${folder}`).pathname.slice(1).replaceAll('%20', ' ');
}

interface Listed extends Sheet {
  readonly isHidden: boolean;
}

async function readSheets(
  file: OpenFile,
  part: string,
  relations: readonly Relation[],
): Promise<{ readonly sheets: readonly Listed[]; readonly is1904: boolean }> {
  const sheets: Listed[] = [];
  let is1904 = false;
  await readAll(file, part, {
    ...IGNORED,
    open: (name, text) => {
      if (name === 'workbookPr') is1904 = isTrue(readAttributes(text).date1904);
      if (name !== 'sheet') return;
      const attributes = readAttributes(text);
      const id = Object.keys(attributes).find((key) => /:id$/.test(key)) ?? '';
      const relation = relations.find((one) => one.id === attributes[id]);
      // Sheets of charts and macros have no rows.
      if (relation?.type !== RELATIONS.sheet) return;
      const isHidden = (attributes.state ?? 'visible') !== 'visible';
      sheets.push({ name: attributes.name ?? '', part: relation.target, isHidden });
    },
  });
  return { sheets, is1904 };
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}

/** The sheet of a name; without a name, the first that is not hidden. */
function chooseSheet(name: string, sheets: readonly Listed[], wanted: string | undefined): Sheet {
  if (sheets.length === 0) throw sheetErrors.otherWorkbook(name);
  if (wanted === undefined) return sheets.find(({ isHidden }) => !isHidden) ?? elementAt(sheets, 0);
  const found = sheets.find((sheet) => sheet.name === wanted);
  if (found !== undefined) return found;
  throw sheetErrors.noSheet(
    name,
    wanted,
    sheets.map((sheet) => sheet.name),
  );
}

/** Collects the text of elements `t`, also of several formats; those of `rPh` say how a text is pronounced. */
export class TextCollector {
  text = '';
  #isText = false;
  #isPronounced = false;

  open(name: string): void {
    if (name === 'rPh') this.#isPronounced = true;
    if (name === 't') this.#isText = !this.#isPronounced;
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPronounced = false;
    if (name === 't') this.#isText = false;
  }

  take(text: string): void {
    if (this.#isText) this.text += decodeXml(text);
  }
}

/** Replaces `_x000D_` and others, which stand for characters that XML cannot contain. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

async function readStrings(file: OpenFile, part: string | undefined): Promise<readonly string[]> {
  const strings: string[] = [];
  if (part === undefined) return strings;
  let collector = new TextCollector();
  await readAll(file, part, {
    open: (name) => {
      if (name === 'si') collector = new TextCollector();
      collector.open(name);
    },
    text: (text) => collector.take(text),
    close: (name) => {
      collector.close(name);
      if (name === 'si') strings.push(decodeEscapes(collector.text));
    },
  });
  return strings;
}

async function readStyles(file: OpenFile, part: string | undefined): Promise<readonly SerialKind[]> {
  const styles: SerialKind[] = [];
  if (part === undefined) return styles;
  const codes = new Map<number, string>();
  let isCell = false;
  await readAll(file, part, {
    ...IGNORED,
    open: (name, text) => {
      if (name === 'cellXfs') isCell = true;
      if (name !== 'numFmt' && (name !== 'xf' || !isCell)) return;
      const { numFmtId = '0', formatCode = '' } = readAttributes(text);
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      else styles.push(findSerialKind(Number(numFmtId), codes.get(Number(numFmtId))));
    },
    close: (name) => {
      if (name === 'cellXfs') isCell = false;
    },
  });
  return styles;
}
