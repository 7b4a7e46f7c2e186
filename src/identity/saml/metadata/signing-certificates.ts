import { X509Certificate } from 'node:crypto';
import type { XmlElement } from 'libxml2-wasm';
import { METADATA_NAMESPACE, SIGNATURE_NAMESPACE } from '../names.ts';
import { metadataInvalid } from './errors.ts';

/** A signing certificate of an identity provider. */
export interface IdpCertificate {
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
export function listSigningCertificates(role: XmlElement): readonly IdpCertificate[] {
  const found = role.find(PATH, { md: METADATA_NAMESPACE, ds: SIGNATURE_NAMESPACE });
  if (found.length === 0) throw metadataInvalid('there is no signing certificate');
  if (found.length > MAX_CERTIFICATES) {
    throw metadataInvalid(`there are ${found.length} signing certificates; the limit is ${MAX_CERTIFICATES}`);
  }
  const parsed = found.map(({ content }) => parseCertificate(content));
  const usable = parsed.filter(({ publicKey }) => isStrong(publicKey));
  if (usable.length === 0) {
    throw metadataInvalid(`no signing certificate has an RSA key of at least ${MIN_RSA_BITS} bits`);
  }
  return [...new Map(usable.map(toCertificate).map((each) => [each.der, each])).values()];
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
