import path from 'node:path';
import { canonicalize } from '../../../../src/identity/saml/protocol/check-signatures.ts';
import {
  createChecker,
  type ResponseCheck,
  SamlError,
} from '../../../../src/identity/saml/protocol/checks.ts';
import type { ResponseExpectations } from '../../../../src/identity/saml/protocol/expectations.ts';
import { loadSchemas } from '../../../../src/identity/saml/protocol/schemas.ts';
import { verifyAssertion } from '../../../../src/identity/saml/protocol/verify-assertion.ts';
import { verifyResponse } from '../../../../src/identity/saml/protocol/verify-response.ts';
import { listElements, withDocument } from '../../../../src/identity/saml/protocol/xml.ts';
import { present } from '../../../../src/invariants/must.ts';
import { createSigner, expectFrom, type Signer } from './identity-provider.ts';

/** The keys of the provider (two) and of another party. */
export interface Signers {
  readonly own: Signer;
  readonly second: Signer;
  readonly foreign: Signer;
}

const schemas = loadSchemas(path.resolve(import.meta.dirname, '../../../../schema/saml'));

export const signers: Signers = {
  own: createSigner('idp'),
  second: createSigner('idp, second'),
  foreign: createSigner('idp'),
};

/** Verifies a posted response with every check except those in `off`. */
export function verify(
  posted: string,
  { off = new Set(), ...changes }: Partial<ResponseExpectations> & { off?: ReadonlySet<ResponseCheck> } = {},
) {
  const expected = { ...expectFrom(signers.own, signers.second), ...changes };
  const library = off.has('signature') ? takeUnverified : verifyAssertion;
  return verifyResponse(posted, expected, { schemas, checker: createChecker(off), verify: library });
}

/** Returns the first assertion in a document without any verification. */
function takeUnverified(xml: string): string {
  return withDocument(xml, ({ root }) => {
    const assertion = present(listElements(root).find(({ name }) => name === 'Assertion'));
    for (const signature of listElements(assertion).filter(({ name }) => name === 'Signature'))
      signature.remove();
    return canonicalize(assertion);
  });
}

/**
 * The checks that refuse a response: the first one, the next one with the first off, and so on until it is accepted.
 */
export function listRefusals(posted: string, changes: Partial<ResponseExpectations> = {}): string[] {
  const off = new Set<ResponseCheck>();
  for (;;) {
    try {
      verify(posted, { ...changes, off });
      return [...off];
    } catch (error) {
      // Without its checks, the document may be unreadable.
      if (!(error instanceof SamlError)) return [...off, 'unreadable'];
      const check = error.check as ResponseCheck;
      if (check === 'well-formed' || off.has(check)) return [...off, check];
      off.add(check);
    }
  }
}
