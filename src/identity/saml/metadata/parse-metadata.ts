import type { XmlDocument } from 'libxml2-wasm';
import { metadataInvalid } from './errors.ts';

/** In bytes of UTF-8. The largest known metadata, of Microsoft Entra ID, has 70 KB. */
const MAX_BYTES = 1024 * 1024;
/** Includes comments. The same metadata has 900. */
const MAX_TAGS = 10_000;
/** Matches declarations of types and entities; comments and CDATA sections begin with the same characters. */
const DECLARATION = /<!(?!--|\[CDATA\[)/;

/**
 * Parses a document, which the caller disposes of. Rejects with 422 for a document that is too large, contains a
 * DOCTYPE, or is not XML.
 */
export async function parseMetadata(xml: string): Promise<XmlDocument> {
  const bytes = Buffer.byteLength(xml);
  if (bytes > MAX_BYTES) throw metadataInvalid(`the document has ${bytes} bytes; the limit is ${MAX_BYTES}`);
  const tags = xml.split('<').length - 1;
  if (tags > MAX_TAGS) throw metadataInvalid(`the document has ${tags} tags; the limit is ${MAX_TAGS}`);
  if (DECLARATION.test(xml)) throw metadataInvalid('DOCTYPE and entities are not allowed');
  const { ParseOption, XmlDocument: Parser } = await import('libxml2-wasm');
  const { XML_PARSE_NO_XXE, XML_PARSE_NO_SYS_CATALOG, XML_PARSE_IGNORE_ENC } = ParseOption;
  try {
    return Parser.fromString(xml.replace(/^\uFEFF/, ''), {
      option: XML_PARSE_NO_XXE | XML_PARSE_NO_SYS_CATALOG | XML_PARSE_IGNORE_ENC,
    });
  } catch (error) {
    throw metadataInvalid(`the document is not well-formed XML: ${firstLine(error)}`);
  }
}

function firstLine(error: unknown): string {
  return (error as Error).message.trim().split('\n', 1).join('').slice(0, 200);
}
