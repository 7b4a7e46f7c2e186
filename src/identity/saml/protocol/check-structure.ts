import { type XmlDocument, type XmlElement, XmlLibError, type XsdValidator } from 'libxml2-wasm';
import type { Checker } from './checks.ts';
import type { ResponseExpectations } from './expectations.ts';
import {
  describeXmlError,
  findChildren,
  isNamed,
  listElements,
  NAMESPACE,
  readAttribute,
  readElementText,
  SUCCESS,
} from './xml.ts';

/** In a response. A response with 1,500 tags has at most a few thousand attributes. */
const MAX_ATTRIBUTES = 3_000;
/** Of a name or a namespace, in UTF-16 units. */
const MAX_NAME_LENGTH = 500;

/**
 * Checks the structure of a response before its signatures are examined; returns its only assertion. Throws a
 * SamlError.
 */
export function checkStructure(
  document: XmlDocument,
  schemas: XsdValidator,
  expected: ResponseExpectations,
  checker: Checker,
): void {
  const { root } = document;
  const elements = listElements(root);
  checkSizes(elements, checker);
  checker.require('root', isNamed(root, NAMESPACE.protocol, 'Response'), `the root is ${printName(root)}`);
  const status = readStatus(root);
  checker.require('status', status[0] === SUCCESS, () => `the status is ${status.join(', ')}`);
  const encrypted = elements.find(({ name }) => /^Encrypted(Assertion|ID|Attribute|Data|Key)$/.test(name));
  checker.require(
    'encryption',
    encrypted === undefined,
    () => `it has ${printName(encrypted)}: disable the encryption of assertions at the identity provider`,
  );
  const error = findSchemaError(document, schemas);
  checker.require('schema', error === null, error ?? '');
  checkIds(elements, checker);
  checkAssertions(root, elements, checker);
  const extensions = elements.find((element) => isNamed(element, NAMESPACE.protocol, 'Extensions'));
  checker.require('extensions', extensions === undefined, 'it has Extensions');
  checkHead(root, expected, checker);
}

/**
 * Limits sizes: each schema error repeats the names of its location, so many attributes and a name of 100 KB would
 * exhaust the memory.
 */
function checkSizes(elements: readonly XmlElement[], checker: Checker): void {
  let attributes = 0;
  for (const element of elements) {
    const { attrs } = element;
    attributes += attrs.length;
    checker.require('elements', attributes <= MAX_ATTRIBUTES, `${attributes} attributes`);
    // Compares one by one, because reading a long name copies it.
    for (const { name, namespaceUri } of [element, ...attrs]) {
      const length = Math.max(name.length, namespaceUri.length);
      checker.require('elements', length <= MAX_NAME_LENGTH, `a name of ${length} characters`);
    }
  }
}

function checkAssertions(root: XmlElement, elements: readonly XmlElement[], checker: Checker): void {
  const inside = findChildren(root, NAMESPACE.assertion, 'Assertion');
  const all = elements.filter(({ name }) => name === 'Assertion');
  const isOne = inside.length === 1 && all.length === 1;
  checker.require('assertions', isOne, `${inside.length} below the root, ${all.length} in total`);
  const responses = elements.filter(({ name }) => name === 'Response').length;
  checker.require('assertions', responses === 1, `${responses} responses`);
}

function checkHead(root: XmlElement, expected: ResponseExpectations, checker: Checker): void {
  const versions = [root, ...findChildren(root, NAMESPACE.assertion, 'Assertion')].map((element) =>
    readAttribute(element, 'Version'),
  );
  checker.require(
    'version',
    versions.every((version) => version === '2.0'),
    versions.join(', '),
  );
  const destination = readAttribute(root, 'Destination');
  checker.require('destination', destination === expected.callbackUrl, `it is ${destination ?? 'missing'}`);
  const [issuer] = findChildren(root, NAMESPACE.assertion, 'Issuer');
  // The assertion always has an issuer; that of the response is optional.
  const name = issuer === undefined ? expected.identityProvider.entityId : readElementText(issuer);
  checker.require('issuer', name === expected.identityProvider.entityId, `it is ${name}`);
}

/** Checks all attributes that any of the libraries could treat as an ID. */
function checkIds(elements: readonly XmlElement[], checker: Checker): void {
  const seen = new Set<string>();
  for (const element of elements) {
    for (const { name, value } of element.attrs) {
      if (!/^id$/i.test(name)) continue;
      checker.require('ids', !seen.has(value), `${value} occurs twice`);
      seen.add(value);
    }
  }
}

/** Returns null for a valid document. */
function findSchemaError(document: XmlDocument, schemas: XsdValidator): string | null {
  try {
    schemas.validate(document);
    return null;
  } catch (error) {
    if (error instanceof XmlLibError) return describeXmlError(error);
    throw error;
  }
}

/** The codes of a status, the outer one first, and its message. */
function readStatus(root: XmlElement): string[] {
  const [status] = findChildren(root, NAMESPACE.protocol, 'Status');
  if (status === undefined) return ['missing'];
  const codes = listElements(status)
    .filter((element) => isNamed(element, NAMESPACE.protocol, 'StatusCode'))
    .map((element) => readAttribute(element, 'Value') ?? '');
  const [message] = findChildren(status, NAMESPACE.protocol, 'StatusMessage');
  return [...codes, ...(message === undefined ? [] : [message.content.slice(0, 200)])];
}

function printName(element: XmlElement | undefined): string {
  return element === undefined ? 'nothing' : `{${element.namespaceUri}}${element.name}`;
}
