import { ParseOption, XmlDocument, XmlElement, XmlError, XmlText } from 'libxml2-wasm';
import { ASSERTION, PROTOCOL, SIGNATURE_NAMESPACE } from '../names.ts';

/** Namespaces of SAML and of XML signatures. */
export const NAMESPACE = {
  protocol: PROTOCOL,
  assertion: ASSERTION,
  signature: SIGNATURE_NAMESPACE,
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
} as const;

/** No network, no external entities; and none of the limits on depth and size is lifted. */
const OPTIONS = {
  option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NOERROR,
};

/** The status code of a message that says that all went well. */
export const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** Gives `use` a parsed document, which ends with it. Throws an XmlLibError for XML that is not well-formed. */
export function withDocument<T>(xml: string, use: (document: XmlDocument) => T): T {
  const document = XmlDocument.fromString(xml, OPTIONS);
  try {
    return use(document);
  } finally {
    document.dispose();
  }
}

/** What a parser, a validator or canonicalization says, on one line. Throws again what is no error of theirs. */
export function describeXmlError(error: unknown): string {
  if (!(error instanceof XmlError)) throw error;
  return error.message.trim().replaceAll(/\s+/g, ' ');
}

/** The elements directly below one. */
export function listChildren(element: XmlElement): XmlElement[] {
  const children: XmlElement[] = [];
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (node instanceof XmlElement) children.push(node);
  }
  return children;
}

/** Whether an element has this name in this namespace. */
export function isNamed(element: XmlElement, namespace: string, name: string): boolean {
  return element.name === name && element.namespaceUri === namespace;
}

/** The elements directly below one that have this name in this namespace. */
export function findChildren(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return listChildren(element).filter((child) => isNamed(child, namespace, name));
}

/** An element and every one below it, in the order of the document. */
export function listElements(element: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const waiting = [element];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    waiting.push(...listChildren(next).reverse());
  }
  return found;
}

/** The value of an attribute without a namespace; null where there is none. */
export function readAttribute(element: XmlElement, name: string): string | null {
  const attribute = element.attrs.find((own) => own.name === name && own.namespaceUri === '');
  return attribute?.value ?? null;
}

/** The text of an element that has nothing but text; null for one with elements in it. */
export function readText(element: XmlElement): string | null {
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (!(node instanceof XmlText)) return null;
  }
  return element.content;
}
