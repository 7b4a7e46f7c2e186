import type { XsdValidator } from 'libxml2-wasm';
import { elementAt } from '../../../invariants/must.ts';
import { canonicalize, checkSignatures } from './check-signatures.ts';
import { checkStructure } from './check-structure.ts';
import { type Checker, createChecker, SamlError } from './checks.ts';
import { decodeResponse } from './decode-response.ts';
import type { ResponseExpectations, VerifiedResponse } from './expectations.ts';
import { readAssertion } from './read-assertion.ts';
import { type VerifyAssertion, verifyAssertion } from './verify-assertion.ts';
import { describeXmlError, findChildren, NAMESPACE, readAttribute, withDocument } from './xml.ts';

/** The parts of the verification; only tests replace the default ones. */
interface Verification {
  readonly schemas: XsdValidator;
  readonly checker?: Checker;
  readonly verify?: VerifyAssertion;
}

/**
 * Verifies a response that a browser has posted (docs/reference/saml-sign-in.md#response): its form, its signatures
 * with two implementations, and the signed content. Only signed bytes are read. The caller checks whether the request
 * is known and the assertion new. Throws a SamlError.
 */
export function verifyResponse(
  posted: string,
  expected: ResponseExpectations,
  { schemas, checker = createChecker(), verify = verifyAssertion }: Verification,
): VerifiedResponse {
  const xml = decodeResponse(posted, checker);
  return parse(xml, (document) => {
    checkStructure(document, schemas, expected, checker);
    const facts = checkSignatures(document, xml, expected.identityProvider.certificates, checker);
    const verified = verify(xml, facts);
    if (verified === null) throw new SamlError('signature', 'the signature does not match');
    return withDocument(verified, ({ root: assertion }) => {
      checkSame(xml, canonicalize(assertion), checker);
      const response = readAssertion(assertion, expected, checker);
      const answered = readAttribute(document.root, 'InResponseTo');
      const isAnswer = response.inResponseTo !== '' && answered === response.inResponseTo;
      checker.require(
        'in-response-to',
        isAnswer,
        `${answered ?? 'none'} and ${response.inResponseTo || 'none'}`,
      );
      return response;
    });
  });
}

function parse<T>(xml: string, use: Parameters<typeof withDocument<T>>[1]): T {
  try {
    return withDocument(xml, use);
  } catch (error) {
    if (error instanceof SamlError) throw error;
    // Canonicalization throws for documents without a canonical form, as with relative namespace names.
    throw new SamlError('well-formed', describeXmlError(error));
  }
}

/** Compares the signature library's result with the same part of the document as this parser reads it. */
function checkSame(xml: string, verified: string, checker: Checker): void {
  const own = withDocument(xml, ({ root }) => {
    const assertion = elementAt(findChildren(root, NAMESPACE.assertion, 'Assertion'), 0);
    const whole = canonicalize(assertion);
    // A signature of the assertion does not sign itself; a signature of the response covers it.
    for (const signature of findChildren(assertion, NAMESPACE.signature, 'Signature')) signature.remove();
    return [whole, canonicalize(assertion)];
  });
  checker.require('same-assertion', own.includes(verified), 'the results of the two parsers differ');
}
