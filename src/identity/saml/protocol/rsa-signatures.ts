import { verify, X509Certificate } from 'node:crypto';
import { RSA_SHA256 } from '../names.ts';

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
