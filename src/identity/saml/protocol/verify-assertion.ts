import { SamlLib } from 'samlify';
import type { SignatureFacts } from './check-signatures.ts';

type Options = Parameters<typeof SamlLib.verifySignature>[1];

/** Has a signature verified: the assertion as it was signed; null for one that does not fit. */
export type VerifyAssertion = (xml: string, facts: SignatureFacts) => string | null;

/** By the signature library, with one certificate of the identity provider and no other. */
export const verifyAssertion: VerifyAssertion = (xml, { certificate, algorithm }) => {
  // Of the metadata it asks for nothing else.
  const metadata = { getX509Certificate: () => certificate } as unknown as NonNullable<Options['metadata']>;
  try {
    const [isVerified, assertion] = SamlLib.verifySignature(xml, { metadata, signatureAlgorithm: algorithm });
    return isVerified ? assertion : null;
  } catch {
    // It throws for certificates that it did not expect, and for what it takes for an attack.
    return null;
  }
};
