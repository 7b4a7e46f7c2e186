import path from 'node:path';
import { canonicalize } from '../../../../src/identity/saml/protocol/check-signatures.ts';
import {
  createChecker,
  type ResponseCheck,
  SamlRefusal,
} from '../../../../src/identity/saml/protocol/checks.ts';
import type { ResponseExpectations } from '../../../../src/identity/saml/protocol/expectations.ts';
import { loadSchemas } from '../../../../src/identity/saml/protocol/schemas.ts';
import { verifyAssertion } from '../../../../src/identity/saml/protocol/verify-assertion.ts';
import { verifyResponse } from '../../../../src/identity/saml/protocol/verify-response.ts';
import { listElements, withDocument } from '../../../../src/identity/saml/protocol/xml.ts';
import { present } from '../../../../src/invariants/must.ts';
import { createSigner, expectFrom, type Signer } from './identity-provider.ts';

/** Keys: of the provider, its second one, and of somebody else. */
export interface Signers {
  readonly own: Signer;
  readonly second: Signer;
  readonly foreign: Signer;
}

const schemas = loadSchemas(path.resolve('schema/saml'));

export const signers: Signers = {
  own: createSigner('idp'),
  second: createSigner('idp, second'),
  foreign: createSigner('idp'),
};

/** Verifies what was posted, with every check but those that are off. */
export function verify(
  posted: string,
  { off = new Set(), ...changes }: Partial<ResponseExpectations> & { off?: ReadonlySet<ResponseCheck> } = {},
) {
  const expected = { ...expectFrom(signers.own, signers.second), ...changes };
  const library = off.has('signature') ? takeUnverified : verifyAssertion;
  return verifyResponse(posted, expected, { schemas, checker: createChecker(off), verify: library });
}

/** A library that verifies nothing: the first assertion that stands anywhere. */
function takeUnverified(xml: string): string {
  return withDocument(xml, ({ root }) => {
    const assertion = present(listElements(root).find(({ name }) => name === 'Assertion'));
    for (const signature of listElements(assertion).filter(({ name }) => name === 'Signature'))
      signature.remove();
    return canonicalize(assertion);
  });
}

/** The checks that refuse what was posted: the first, the first with that one off, and so on until it gets in. */
export function listRefusals(posted: string, changes: Partial<ResponseExpectations> = {}): string[] {
  const off = new Set<ResponseCheck>();
  for (;;) {
    try {
      verify(posted, { ...changes, off });
      return [...off];
    } catch (error) {
      // With its checks off, there is nothing that could be read.
      if (!(error instanceof SamlRefusal)) return [...off, 'unreadable'];
      const check = error.check as ResponseCheck;
      if (check === 'well-formed' || off.has(check)) return [...off, check];
      off.add(check);
    }
  }
}
