import type { XmlDocument } from 'libxml2-wasm';
import { metadataInvalid } from './errors.ts';

/** Bytes of UTF-8; the largest known, of Microsoft Entra ID, have 70 KB. */
const MAX_BYTES = 1024 * 1024;
/** Tags and comments together; the same ones have 900. */
const MAX_TAGS = 10_000;
/** What declares types and entities; comments and CDATA sections begin alike. */
const DECLARATION = /<!(?!--|\[CDATA\[)/;

/** Parses a document, which the caller disposes of. Rejects with 422 for one that is too large, has a DOCTYPE, or is no XML. */
export async function parseMetadata(xml: string): Promise<XmlDocument> {
  const bytes = Buffer.byteLength(xml);
  if (bytes > MAX_BYTES) throw metadataInvalid(`there are ${bytes} bytes, and at most ${MAX_BYTES} are read`);
  const tags = xml.split('<').length - 1;
  if (tags > MAX_TAGS) throw metadataInvalid(`there are ${tags} tags, and at most ${MAX_TAGS} are read`);
  if (DECLARATION.test(xml)) throw metadataInvalid('there must be no DOCTYPE, and no entities');
  const { ParseOption, XmlDocument: Parser } = await import('libxml2-wasm');
  const { XML_PARSE_NO_XXE, XML_PARSE_NO_SYS_CATALOG, XML_PARSE_IGNORE_ENC } = ParseOption;
  try {
    return Parser.fromString(xml.replace(/^\uFEFF/, ''), {
      option: XML_PARSE_NO_XXE | XML_PARSE_NO_SYS_CATALOG | XML_PARSE_IGNORE_ENC,
    });
  } catch (error) {
    throw metadataInvalid(`this is no XML: ${firstLine(error)}`);
  }
}

function firstLine(error: unknown): string {
  return (error as Error).message.trim().split('\n', 1).join('').slice(0, 200);
}
