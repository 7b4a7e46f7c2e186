/** The parts of a metadata document; each has a common default. */
export interface MetadataParts {
  readonly entityId?: string;
  /** Base64 of DER, as in the document. */
  readonly certificates?: readonly string[];
  /** Attributes of the EntityDescriptor. */
  readonly attributes?: string;
  /** Attributes of the IDPSSODescriptor. */
  readonly roleAttributes?: string;
  /** Replaces the keys. */
  readonly keys?: string;
  /** Replaces the SingleSignOnService elements. */
  readonly signOn?: string;
  /** Before the IDPSSODescriptor. */
  readonly before?: string;
  /** After the IDPSSODescriptor. */
  readonly after?: string;
}

const BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP';

export const SIGN_ON_URL = 'https://idp.example.org/sso';

/** An element with the location of a service. */
export function printService(
  name: string,
  binding: 'Redirect' | 'POST' | 'Artifact',
  location: string,
): string {
  return `<md:${name} Binding="${BINDING}-${binding}" Location="${location}"/>`;
}

/** A key as a KeyDescriptor; without `use`, it is for signing and encryption. */
export function printKey(certificate: string, use = ' use="signing"'): string {
  return `<md:KeyDescriptor${use}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
}

/** Metadata of an identity provider, without an XML declaration. */
export function printMetadata(parts: MetadataParts = {}): string {
  const { entityId = 'https://idp.example.org/metadata', certificates = [], attributes = '' } = parts;
  const { roleAttributes = '', before = '', after = '' } = parts;
  const keys = parts.keys ?? certificates.map((each) => printKey(each)).join('\n    ');
  const signOn = parts.signOn ?? printService('SingleSignOnService', 'Redirect', SIGN_ON_URL);
  return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityId}" ${attributes}>
  ${before}
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" ${roleAttributes}>
    ${keys}
    ${signOn}
  </md:IDPSSODescriptor>
  ${after}
</md:EntityDescriptor>`;
}

/** The base64 in a PEM text. */
export function toBase64(pem: string): string {
  return pem.replace(/-----[A-Z ]+-----|\s/g, '');
}
