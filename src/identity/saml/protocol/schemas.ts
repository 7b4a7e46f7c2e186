import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  ParseOption,
  XmlBufferInputProvider,
  XmlDocument,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';

/** The base URL of the schemas for the parser. They are in memory, so the parser never opens a file. */
const BASE = 'quern-schemas:/';
const PROTOCOL = `${BASE}saml-schema-protocol-2.0.xsd`;

/** Loads the SAML schemas from a folder, once in each thread. This takes about 0.1 seconds. */
export function loadSchemas(folder: string): XsdValidator {
  const files = readdirSync(folder).map(
    (name) => [`${BASE}${name}`, readFileSync(path.join(folder, name))] as const,
  );
  xmlRegisterInputProvider(new XmlBufferInputProvider(Object.fromEntries(files)));
  const source = XmlDocument.fromBuffer(readFileSync(path.join(folder, path.basename(PROTOCOL))), {
    url: PROTOCOL,
    option: ParseOption.XML_PARSE_NOENT,
  });
  try {
    return XsdValidator.fromDoc(source);
  } finally {
    source.dispose();
  }
}
