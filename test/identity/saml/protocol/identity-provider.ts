import { execFileSync } from 'node:child_process';
import { createHash, createHmac, createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { XmlC14NMode } from 'libxml2-wasm';
import { canonicalize } from '../../../../src/identity/saml/protocol/check-signatures.ts';
import type { ResponseExpectations } from '../../../../src/identity/saml/protocol/expectations.ts';
import { listElements, readAttribute, withDocument } from '../../../../src/identity/saml/protocol/xml.ts';
import { present } from '../../../../src/invariants/must.ts';

/** A key and its certificate, as base64 of DER. */
export interface Signer {
  readonly key: KeyObject;
  readonly certificate: string;
}

/** Creates a key with a certificate. */
export function createSigner(name: string): Signer {
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-signer-'));
  try {
    const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    const options = ['-newkey', 'rsa:2048', '-nodes', '-sha256', '-days', '30', '-subj', `/CN=${name}`];
    execFileSync('openssl', ['req', '-x509', ...options, '-keyout', key, '-out', certificate], {
      stdio: 'pipe',
    });
    return {
      key: createPrivateKey(readFileSync(key)),
      certificate: new X509Certificate(readFileSync(certificate)).raw.toString('base64'),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const CALLBACK = 'https://quern.example.org/api/saml2/callback';
export const ENTITY_ID = 'https://quern.example.org';
export const ISSUER = 'https://idp.example.com/metadata';
export const REQUEST_ID = '_request-1';
/** The time at which all responses of these tests arrive. */
export const NOW = Date.parse('2026-05-04T12:00:00Z');

/** A time in XML, in seconds relative to the arrival. */
export function at(seconds: number): string {
  return new Date(NOW + seconds * 1000).toISOString();
}

/** The expectations of the instance for a provider with these certificates. */
export function expectFrom(...signers: readonly Signer[]): ResponseExpectations {
  return {
    callbackUrl: CALLBACK,
    entityId: ENTITY_ID,
    identityProvider: { entityId: ISSUER, certificates: signers.map(({ certificate }) => certificate) },
    attributes: { userName: 'username', firstName: 'firstName', lastName: 'lastName', groups: 'groups' },
    skewMs: 60_000,
    now: NOW,
  };
}

/** The parts of an assertion as XML; tests replace single parts. */
export interface AssertionParts {
  readonly attributes: string;
  readonly issuer: string;
  readonly subject: string;
  readonly conditions: string;
  readonly authn: string;
  readonly statement: string;
}

/** The parts of a response as XML; tests replace single parts. */
export interface ResponseParts {
  readonly attributes: string;
  readonly issuer: string;
  readonly extensions: string;
  readonly status: string;
  readonly assertion: string;
}

export const NAME_ID =
  '<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">ann@example.com</saml:NameID>';

/** A subject; the defaults are valid. */
export function subject({
  nameId = NAME_ID,
  method = 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  data = `NotOnOrAfter="${at(300)}" Recipient="${CALLBACK}" InResponseTo="${REQUEST_ID}"`,
  inside = '',
}: {
  nameId?: string;
  method?: string;
  data?: string;
  inside?: string;
} = {}): string {
  const confirmation = `<saml:SubjectConfirmationData ${data}>${inside}</saml:SubjectConfirmationData>`;
  return `<saml:Subject>${nameId}<saml:SubjectConfirmation Method="${method}">${confirmation}</saml:SubjectConfirmation></saml:Subject>`;
}

/** Conditions; the defaults are valid. */
export function conditions({
  times = `NotBefore="${at(-5)}" NotOnOrAfter="${at(300)}"`,
  audiences = [ENTITY_ID],
}: {
  times?: string;
  audiences?: readonly string[];
} = {}): string {
  const names = audiences.map((name) => `<saml:Audience>${name}</saml:Audience>`).join('');
  const restriction = names === '' ? '' : `<saml:AudienceRestriction>${names}</saml:AudienceRestriction>`;
  return `<saml:Conditions ${times}>${restriction}</saml:Conditions>`;
}

/** An attribute with its values. */
export function attribute(name: string, ...values: readonly string[]): string {
  const inside = values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('');
  return `<saml:Attribute Name="${name}">${inside}</saml:Attribute>`;
}

/** An assertion; the defaults are valid. */
export function assertion(parts: Partial<AssertionParts> = {}, tag = 'saml:Assertion'): string {
  const {
    attributes = `ID="_assertion-1" Version="2.0" IssueInstant="${at(-1)}"`,
    issuer = `<saml:Issuer>${ISSUER}</saml:Issuer>`,
    authn = `<saml:AuthnStatement AuthnInstant="${at(-1)}" SessionIndex="_session-1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    statement = `<saml:AttributeStatement>${attribute('username', 'ann')}${attribute('firstName', 'Ann')}${attribute('lastName', 'Lee')}${attribute('groups', 'staff', 'finance')}</saml:AttributeStatement>`,
  } = parts;
  const { subject: named = subject(), conditions: limits = conditions() } = parts;
  return `<${tag} xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ${attributes}>${issuer}${named}${limits}${authn}${statement}</${tag}>`;
}

/** A response with an assertion; the defaults are valid. It is not signed. */
export function response(parts: Partial<ResponseParts> = {}): string {
  const {
    attributes = `ID="_response-1" Version="2.0" IssueInstant="${at(-1)}" Destination="${CALLBACK}" InResponseTo="${REQUEST_ID}"`,
    issuer = `<saml:Issuer>${ISSUER}</saml:Issuer>`,
    extensions = '',
    status = '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>',
    assertion: inside = assertion(),
  } = parts;
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ${attributes}>${issuer}${extensions}${status}${inside}</samlp:Response>`;
}

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
export const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const ENVELOPED = `${DSIG}enveloped-signature`;
export const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

/** The signature of an element; the defaults are valid. */
export interface Signing {
  readonly id?: string;
  readonly uri?: string;
  readonly algorithm?: string;
  readonly digest?: string;
  readonly hash?: string;
  readonly transforms?: readonly string[];
  readonly canonicalization?: string;
  /** XML between the transforms of each kind. */
  readonly moreReferences?: string;
  readonly objects?: string;
  readonly keyInfo?: string;
  /** Signs with HMAC and this key. */
  readonly secret?: string;
  /** XML before the text of the digest. */
  readonly beforeDigest?: string;
}

/** Adds a signature after the issuer of the element with this ID. */
export function signElement(xml: string, { key, certificate }: Signer, signing: Signing = {}): string {
  const { id = '_assertion-1', algorithm = RSA_SHA256, digest = SHA256, hash = 'sha256', secret } = signing;
  const prefixes = /PrefixList="([^"]*)"/.exec(signing.transforms?.join('') ?? '')?.[1]?.split(' ') ?? [];
  const bare = canonical(xml, id, prefixes);
  const value = createHash(hash).update(bare).digest('base64');
  const { transforms = [ENVELOPED, EXCLUSIVE], canonicalization = EXCLUSIVE, beforeDigest = '' } = signing;
  const steps = transforms
    .map((name) => (name.startsWith('<') ? name : `<ds:Transform Algorithm="${name}"/>`))
    .join('');
  const reference = `<ds:Reference URI="${signing.uri ?? `#${id}`}"><ds:Transforms>${steps}</ds:Transforms><ds:DigestMethod Algorithm="${digest}"/><ds:DigestValue>${beforeDigest}${value}</ds:DigestValue></ds:Reference>`;
  const info = `<ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${canonicalization}"/><ds:SignatureMethod Algorithm="${algorithm}"/>${reference}${signing.moreReferences ?? ''}</ds:SignedInfo>`;
  const keyInfo =
    signing.keyInfo ??
    `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`;
  const signature = `<ds:Signature xmlns:ds="${DSIG}">${info}<ds:SignatureValue>VALUE-OF-${id}</ds:SignatureValue>${keyInfo}${signing.objects ?? ''}</ds:Signature>`;
  const placed = insertBehindIssuer(xml, id, signature);
  const signed = withDocument(placed, ({ root }) => {
    const all = listElements(root);
    const own = present(all.find((element) => readAttribute(element, 'ID') === id));
    return canonicalize(present(listElements(own).find(({ name }) => name === 'SignedInfo')));
  });
  const bytes =
    secret === undefined
      ? sign(hash, Buffer.from(signed), key)
      : createHmac(hash, secret).update(signed).digest();
  return placed.replace(`VALUE-OF-${id}`, bytes.toString('base64'));
}

function canonical(xml: string, id: string, prefixes: readonly string[]): string {
  return withDocument(xml, ({ root }) => {
    const element = present(listElements(root).find((own) => readAttribute(own, 'ID') === id));
    const inclusiveNamespacePrefixes = [...prefixes];
    return element.canonicalizeToString({
      mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0,
      inclusiveNamespacePrefixes,
    });
  });
}

/** The prefix of the issuer can be any. */
function insertBehindIssuer(xml: string, id: string, signature: string): string {
  const issuer = /<\/(?:\w+:)?Issuer>/g;
  issuer.lastIndex = xml.indexOf(`ID="${id}"`);
  issuer.exec(xml);
  return xml.slice(0, issuer.lastIndex) + signature + xml.slice(issuer.lastIndex);
}

/** Encodes a response as a browser posts it. */
export function post(xml: string): string {
  return Buffer.from(xml).toString('base64');
}
