import { SamlLib } from 'samlify';
import type { SignatureFacts } from './check-signatures.ts';

type Options = Parameters<typeof SamlLib.verifySignature>[1];

/** Verifies a signature and returns the signed assertion; null if the signature does not match. */
export type VerifyAssertion = (xml: string, facts: SignatureFacts) => string | null;

/** Uses the signature library, with only one certificate of the identity provider. */
export const verifyAssertion: VerifyAssertion = (xml, { certificate, algorithm }) => {
  // The library needs no other metadata.
  const metadata = { getX509Certificate: () => certificate } as unknown as NonNullable<Options['metadata']>;
  try {
    const [isVerified, assertion] = SamlLib.verifySignature(xml, { metadata, signatureAlgorithm: algorithm });
    return isVerified ? assertion : null;
  } catch {
    // The library throws for unexpected certificates and for suspected attacks.
    return null;
  }
};
