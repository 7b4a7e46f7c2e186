import { X509Certificate } from 'node:crypto';
import type { XmlDocument, XmlElement } from 'libxml2-wasm';
import {
  METADATA_NAMESPACE,
  POST_BINDING,
  PROTOCOL,
  REDIRECT_BINDING,
  SIGNATURE_NAMESPACE,
} from '../names.ts';
import { metadataInvalid } from './errors.ts';

/** An identity provider as its metadata describes it (docs/reference/saml.md#metadata-of-the-identity-provider). */
export interface IdentityProvider {
  readonly entityId: string;
  /** By binding; null if the metadata omits it. Only https. */
  readonly signOn: Endpoints;
  readonly logout: Endpoints;
  /** Signing certificates, in the order of the metadata. */
  readonly certificates: readonly IdpCertificate[];
  readonly wantsSignedRequests: boolean;
}

/** The addresses of one service. */
interface Endpoints {
  readonly redirect: string | null;
  readonly post: string | null;
}

const MAX_ENTITY_ID_LENGTH = 1_024;
const MAX_URL_LENGTH = 2_048;

/**
 * Reads the metadata of one identity provider. It is not validated against a schema, because the metadata of Microsoft
 * Entra ID and AD FS contains role descriptors that the schemas do not define. A signature of the metadata is not
 * verified: an administrator uploads it, or it is read over HTTPS. Rejects with 422 for an invalid or expired document.
 */
export async function readIdentityProvider(xml: string, now: Date): Promise<IdentityProvider> {
  const document = await parseMetadata(xml);
  try {
    return readEntity(findEntity(document.root, now), now);
  } finally {
    document.dispose();
  }
}

/** The only EntityDescriptor of the document; it may be inside an EntitiesDescriptor. */
function findEntity(root: XmlElement, now: Date): XmlElement {
  const isAlone = isMetadata(root, 'EntityDescriptor');
  if (!isAlone && !isMetadata(root, 'EntitiesDescriptor')) {
    throw metadataInvalid(`the document is \`${root.name}\`, not an EntityDescriptor`);
  }
  const all = root.find('descendant-or-self::md:EntityDescriptor', { md: METADATA_NAMESPACE });
  const [entity] = all;
  if (all.length !== 1 || entity === undefined) {
    throw metadataInvalid(`there must be exactly one EntityDescriptor, but there are ${all.length}`);
  }
  checkValid(root, now);
  return entity as XmlElement;
}

function readEntity(entity: XmlElement, now: Date): IdentityProvider {
  checkValid(entity, now);
  const entityId = entity.attr('entityID')?.value.trim() ?? '';
  if (entityId === '' || entityId.length > MAX_ENTITY_ID_LENGTH) {
    throw metadataInvalid(`the entityID must have 1 to ${MAX_ENTITY_ID_LENGTH} characters`);
  }
  const role = findRole(entity);
  checkValid(role, now);
  const signOn = findEndpoints(role, 'SingleSignOnService');
  if (signOn.redirect === null && signOn.post === null) {
    throw metadataInvalid('there is no SingleSignOnService with the binding HTTP-Redirect or HTTP-POST');
  }
  const wants = role.attr('WantAuthnRequestsSigned')?.value.trim();
  return {
    entityId,
    signOn,
    logout: findEndpoints(role, 'SingleLogoutService'),
    certificates: listSigningCertificates(role),
    wantsSignedRequests: wants === 'true' || wants === '1',
  };
}

function findRole(entity: XmlElement): XmlElement {
  const roles = listChildren(entity, 'IDPSSODescriptor').filter((role) =>
    (role.attr('protocolSupportEnumeration')?.value ?? '').split(/\s+/).includes(PROTOCOL),
  );
  const [role] = roles;
  if (role === undefined) {
    throw metadataInvalid(
      'there is no IDPSSODescriptor for SAML 2.0; is this the metadata of a service provider?',
    );
  }
  if (roles.length > 1) {
    throw metadataInvalid(`there must be exactly one IDPSSODescriptor, but there are ${roles.length}`);
  }
  return role;
}

function findEndpoints(role: XmlElement, service: string): Endpoints {
  const endpoints = listChildren(role, service);
  const find = (binding: string) => {
    const endpoint = endpoints.find((candidate) => candidate.attr('Binding')?.value === binding);
    return endpoint === undefined ? null : checkUrl(endpoint.attr('Location')?.value ?? '', service);
  };
  return { redirect: find(REDIRECT_BINDING), post: find(POST_BINDING) };
}

function checkUrl(text: string, service: string): string {
  const location = text.trim();
  const url = URL.canParse(location) ? new URL(location) : null;
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === '';
  if (!isPlain || location.length > MAX_URL_LENGTH) {
    throw metadataInvalid(
      `the Location of the ${service} must be an https URL: \`${location.slice(0, 200)}\``,
    );
  }
  return url.href;
}

function checkValid(element: XmlElement, now: Date): void {
  const text = element.attr('validUntil')?.value.trim();
  if (text === undefined) return;
  const until = new Date(text);
  if (Number.isNaN(until.getTime())) {
    throw metadataInvalid(`validUntil of the ${element.name} is not a time: \`${text.slice(0, 100)}\``);
  }
  if (until <= now) throw metadataInvalid(`it has expired: validUntil is ${until.toISOString()}`);
}

function isMetadata(element: XmlElement, name: string): boolean {
  return element.name === name && element.namespaceUri === METADATA_NAMESPACE;
}

function listChildren(parent: XmlElement, name: string): readonly XmlElement[] {
  return parent.find(`md:${name}`, { md: METADATA_NAMESPACE }) as XmlElement[];
}

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
async function parseMetadata(xml: string): Promise<XmlDocument> {
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

/** A signing certificate of an identity provider. */
interface IdpCertificate {
  /** Base64 of DER, without white space. */
  readonly der: string;
  /** SHA-256, as hexadecimal digits in capitals with colons. */
  readonly fingerprint: string;
  /**
   * ISO 8601, UTC. An expired certificate is reported but accepted: its key is trusted because the metadata contains
   * it.
   */
  readonly notBefore: string;
  readonly notAfter: string;
}

const MAX_CERTIFICATES = 20;
const MIN_RSA_BITS = 2_048;

const PATH = `md:KeyDescriptor[not(@use) or @use = 'signing']/ds:KeyInfo/ds:X509Data/ds:X509Certificate`;

/** The signing certificates of a role, without duplicates. Throws 422 if none has an RSA key of at least 2,048 bits. */
function listSigningCertificates(role: XmlElement): readonly IdpCertificate[] {
  const texts = role.find(PATH, { md: METADATA_NAMESPACE, ds: SIGNATURE_NAMESPACE });
  if (texts.length === 0) throw metadataInvalid('there is no signing certificate');
  if (texts.length > MAX_CERTIFICATES) {
    throw metadataInvalid(`there are ${texts.length} signing certificates; the limit is ${MAX_CERTIFICATES}`);
  }
  const parsed = texts.map(({ content }) => parseCertificate(content));
  const usable = parsed.filter(({ publicKey }) => isStrong(publicKey));
  if (usable.length === 0) {
    throw metadataInvalid(`no signing certificate has an RSA key of at least ${MIN_RSA_BITS} bits`);
  }
  return [
    ...new Map(usable.map(toCertificate).map((certificate) => [certificate.der, certificate])).values(),
  ];
}

function parseCertificate(text: string): X509Certificate {
  const base64 = text.replace(/\s+/g, '');
  const isBase64 = /^[A-Za-z\d+/]+={0,2}$/.test(base64);
  try {
    if (isBase64) return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    // The error below reports this.
  }
  throw metadataInvalid('an X509Certificate cannot be read');
}

function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: X509Certificate['publicKey']): boolean {
  return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS;
}

function toCertificate(certificate: X509Certificate): IdpCertificate {
  return {
    der: certificate.raw.toString('base64'),
    fingerprint: certificate.fingerprint256,
    notBefore: certificate.validFromDate.toISOString(),
    notAfter: certificate.validToDate.toISOString(),
  };
}
