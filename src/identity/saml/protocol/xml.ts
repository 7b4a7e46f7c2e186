import { ParseOption, XmlDocument, XmlElement, XmlError, XmlText } from 'libxml2-wasm';
import { ASSERTION, PROTOCOL, SIGNATURE_NAMESPACE } from '../names.ts';

/** The namespaces of SAML and XML signatures. */
export const NAMESPACE = {
  protocol: PROTOCOL,
  assertion: ASSERTION,
  signature: SIGNATURE_NAMESPACE,
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
} as const;

/** No network and no external entities; the parser's limits on depth and size stay active. */
const OPTIONS = {
  option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NOERROR,
};

/** The status code of a successful message. */
export const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** Calls `use` with a parsed document, and frees the document afterwards. Throws an XmlLibError for malformed XML. */
export function withDocument<T>(xml: string, use: (document: XmlDocument) => T): T {
  const document = XmlDocument.fromString(xml, OPTIONS);
  try {
    return use(document);
  } finally {
    document.dispose();
  }
}

/** The message of a parser, validator or canonicalization error on one line. Throws other errors again. */
export function describeXmlError(error: unknown): string {
  if (!(error instanceof XmlError)) throw error;
  return error.message.trim().replaceAll(/\s+/g, ' ');
}

/** The child elements of an element. */
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

/** The child elements with this name in this namespace. */
export function findChildren(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return listChildren(element).filter((child) => isNamed(child, namespace, name));
}

/** An element with all its descendants, in document order. */
export function listElements(element: XmlElement): XmlElement[] {
  const elements: XmlElement[] = [];
  const waiting = [element];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    elements.push(next);
    waiting.push(...listChildren(next).reverse());
  }
  return elements;
}

/** The value of an attribute without a namespace; null if it is missing. */
export function readAttribute(element: XmlElement, name: string): string | null {
  const attribute = element.attrs.find(
    (candidate) => candidate.name === name && candidate.namespaceUri === '',
  );
  return attribute?.value ?? null;
}

/** The content of an element that contains only text; null if it has child elements. */
export function readElementText(element: XmlElement): string | null {
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (!(node instanceof XmlText)) return null;
  }
  return element.content;
}
