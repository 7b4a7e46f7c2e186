import type { Principal } from '../../identity/principal/principal.ts';
import type { SamlService } from '../../identity/saml/settings/saml-service.ts';
import { linkUser, type Unlinking, unlink } from '../../identity/sign-on/link-user.ts';
import type { SignOnTests } from '../../identity/sign-on/sign-on-tests.ts';
import type { SignOnTestBody } from '../../identity/sign-on/test-body.ts';
import type { SamlLinkBody, SamlTestBody } from './saml-admin-body.ts';

/** The settings of SAML, and further operations of administrators (docs/reference/saml.md). */
export interface SamlAdmin extends SamlService {
  /** Links an account to a NameID of the identity provider. */
  link(principal: Principal, userName: string, nameId: string): SamlLinkBody;
  /** Deletes the links of a user, or those to a former identity provider; returns their number. */
  unlink(principal: Principal, links: Unlinking): number;
  startTest(principal: Principal): SamlTestBody;
  getTest(principal: Principal, id: string): SamlTestBody;
}

/** The settings of SAML, and further operations of administrators. */
export function createSamlAdmin(
  context: Parameters<typeof linkUser>[0],
  saml: SamlService,
  tests: SignOnTests,
): SamlAdmin {
  /** Adds the URL where a browser starts the test. */
  const toBody = (test: SignOnTestBody): SamlTestBody => ({
    ...test,
    url: `${saml.findBaseUrl() ?? ''}/api/auth/login/saml2?test=${test.id}`,
  });
  return {
    ...saml,
    link(principal, userName, nameId) {
      const issuer = saml.getIssuer(principal);
      linkUser(context, principal, userName, { provider: 'saml', issuer, subject: nameId });
      return { user_name: userName, name_id: nameId, issuer };
    },
    unlink: (principal, links) => unlink(context, principal, 'saml', links),
    startTest(principal) {
      saml.getIssuer(principal);
      return toBody(tests.create(principal, 'saml'));
    },
    getTest: (principal, id) => toBody(tests.get(principal, id)),
  };
}
