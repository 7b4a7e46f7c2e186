import { createHash, verify, X509Certificate } from 'node:crypto';
import { XmlC14NMode, type XmlDocument, type XmlElement } from 'libxml2-wasm';
import { elementAt } from '../../../invariants/must.ts';
import { RSA_SHA256 } from '../names.ts';
import type { Checker } from './checks.ts';
import {
  findChildren,
  isNamed,
  listChildren,
  listElements,
  NAMESPACE,
  readAttribute,
  withDocument,
} from './xml.ts';

/** Hashes by the URIs of the accepted digest algorithms. */
const DIGESTS: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
]);
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/** The certificate and the algorithm of a signature. */
export interface SignatureFacts {
  /** The identity provider's certificate with the signing key: base64 of DER. */
  readonly certificate: string;
  readonly algorithm: string;
}

/**
 * Checks every signature of a response: its form, that a key of the identity provider created it, and that the signed
 * content is unchanged (docs/reference/saml-sign-in.md#checks). Content that no key of the provider has signed is not
 * processed further. Returns the certificate and the algorithm of the first signature. Throws a SamlError.
 */
export function checkSignatures(
  document: XmlDocument,
  xml: string,
  certificates: readonly string[],
  checker: Checker,
): SignatureFacts {
  const { root } = document;
  const parents = [root, ...findChildren(root, NAMESPACE.assertion, 'Assertion')];
  const placed = parents.map((parent) => findChildren(parent, NAMESPACE.signature, 'Signature'));
  const all = listElements(root).filter(({ name }) => name === 'Signature');
  const count = placed.flat().length;
  const isRight = count > 0 && count === all.length && placed.every(({ length }) => length <= 1);
  checker.require('signatures', isRight, `${count} in allowed places, ${all.length} in total`);
  const facts: SignatureFacts[] = [];
  for (const [index, signatures] of placed.entries()) {
    for (const signature of signatures) {
      const parent = elementAt(parents, index);
      checkForm(signature, parent, checker);
      facts.push(checkKey(signature, certificates, checker));
      checkDigest(signature, { xml, isOfRoot: parent === root }, checker);
    }
  }
  return facts[0] ?? { certificate: certificates[0] ?? '', algorithm: '' };
}

function checkForm(signature: XmlElement, parent: XmlElement, checker: Checker): void {
  const objects = findChildren(signature, NAMESPACE.signature, 'Object').length;
  checker.require('object', objects === 0, `${objects} objects`);
  const infos = findChildren(signature, NAMESPACE.signature, 'SignedInfo');
  const references = infos.flatMap((info) => findChildren(info, NAMESPACE.signature, 'Reference'));
  checker.require(
    'reference',
    infos.length === 1 && references.length === 1,
    `${infos.length} SignedInfo, ${references.length} references`,
  );
  const [info, reference] = [elementAt(infos, 0), elementAt(references, 0)];
  const uri = readAttribute(reference, 'URI');
  const id = readAttribute(parent, 'ID');
  checker.require(
    'reference',
    id !== null && uri === `#${id}`,
    () => `it refers to ${uri ?? 'nothing'}, not #${id}`,
  );
  const transforms = findChildren(reference, NAMESPACE.signature, 'Transforms').flatMap(listChildren);
  const names = transforms.map((transform) => readAttribute(transform, 'Algorithm'));
  checker.require(
    'transforms',
    names.length === 2 &&
      names[0] === ENVELOPED &&
      names[1] === NAMESPACE.exclusive &&
      transforms.every(hasPrefixesOnly),
    () => names.join(', '),
  );
  const method = readAlgorithm(info, 'CanonicalizationMethod');
  checker.require('transforms', method === NAMESPACE.exclusive, () => `canonicalization ${method}`);
  const [signing, digest] = [
    readAlgorithm(info, 'SignatureMethod'),
    readAlgorithm(reference, 'DigestMethod'),
  ];
  checker.require(
    'algorithms',
    SIGNATURE_HASHES.has(signing) && DIGESTS.has(digest),
    () => `${signing}, ${digest}`,
  );
}

/** Whether a transform contains only a list of inclusive prefixes. */
function hasPrefixesOnly(transform: XmlElement): boolean {
  return listChildren(transform).every((child) => isNamed(child, NAMESPACE.exclusive, 'InclusiveNamespaces'));
}

function readAlgorithm(parent: XmlElement, name: string): string {
  const [element] = findChildren(parent, NAMESPACE.signature, name);
  return (element && readAttribute(element, 'Algorithm')) ?? '';
}

/** Finds the certificate whose key created a signature. */
function checkKey(signature: XmlElement, certificates: readonly string[], checker: Checker): SignatureFacts {
  const [info] = findChildren(signature, NAMESPACE.signature, 'SignedInfo');
  const [value] = findChildren(signature, NAMESPACE.signature, 'SignatureValue');
  if (info === undefined || value === undefined)
    return { certificate: elementAt(certificates, 0), algorithm: '' };
  const algorithm = readAlgorithm(info, 'SignatureMethod');
  const [method] = findChildren(info, NAMESPACE.signature, 'CanonicalizationMethod');
  const signed = canonicalize(info, method);
  const hash = SIGNATURE_HASHES.get(algorithm);
  const bytes = Buffer.from(value.content.replaceAll(/\s/g, ''), 'base64');
  const certificate = certificates.find((candidate) => isSignedBy(candidate, hash, signed, bytes));
  checker.require(
    'key',
    certificate !== undefined,
    `the signature matches none of ${certificates.length} certificates`,
  );
  return { certificate: certificate ?? elementAt(certificates, 0), algorithm };
}

/**
 * Computes the digest of a signature's parent without the signature, with an implementation other than the signature
 * library's.
 */
function checkDigest(
  signature: XmlElement,
  { xml, isOfRoot }: { readonly xml: string; readonly isOfRoot: boolean },
  checker: Checker,
): void {
  const [reference] = findChildren(signature, NAMESPACE.signature, 'SignedInfo').flatMap((info) =>
    findChildren(info, NAMESPACE.signature, 'Reference'),
  );
  if (reference === undefined) return;
  const [value] = findChildren(reference, NAMESPACE.signature, 'DigestValue');
  const transform = findChildren(reference, NAMESPACE.signature, 'Transforms').flatMap(listChildren).at(-1);
  const canonical = withDocument(xml, ({ root }) => {
    const parent = isOfRoot ? root : elementAt(findChildren(root, NAMESPACE.assertion, 'Assertion'), 0);
    elementAt(findChildren(parent, NAMESPACE.signature, 'Signature'), 0).remove();
    return canonicalize(parent, transform);
  });
  const hash = DIGESTS.get(readAlgorithm(reference, 'DigestMethod'));
  const digest = hash === undefined ? null : createHash(hash).update(canonical).digest('base64');
  checker.require('digest', digest === value?.content.replaceAll(/\s/g, ''), 'a different digest');
}

/** Exclusive canonicalization without comments; `method` may name inclusive prefixes. */
export function canonicalize(element: XmlElement, method?: XmlElement): string {
  const list = method && findChildren(method, NAMESPACE.exclusive, 'InclusiveNamespaces')[0];
  const prefixes =
    (list && readAttribute(list, 'PrefixList'))?.split(/\s+/).filter((prefix) => prefix !== '') ?? [];
  return element.canonicalizeToString({
    mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0,
    inclusiveNamespacePrefixes: prefixes,
  });
}

/** Hashes by the URIs of the accepted signature algorithms (docs/reference/saml-sign-in.md#checks). */
export const SIGNATURE_HASHES: ReadonlyMap<string, string> = new Map([
  [RSA_SHA256, 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'sha512'],
]);

/**
 * Whether a signature was created with the RSA key of a certificate (base64 of DER); false for an unknown algorithm.
 */
export function isSignedBy(
  certificate: string,
  hash: string | undefined,
  signed: string,
  signature: Buffer,
): boolean {
  const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
  const isRsa = publicKey.asymmetricKeyType === 'rsa';
  return hash !== undefined && isRsa && verify(hash, Buffer.from(signed), publicKey, signature);
}
