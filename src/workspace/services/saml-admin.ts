import type { SamlService } from '../../identity/saml/settings/saml-service.ts';
import { linkUser } from '../../identity/sign-on/link-user.ts';
import type { SignOnTests, TestBody } from '../../identity/sign-on/sign-on-tests.ts';
import type { SamlAdmin, SamlTestBody } from '../api/saml-api.ts';

/** The settings of SAML, and further operations of administrators. */
export function createSamlAdmin(
  context: Parameters<typeof linkUser>[0],
  saml: SamlService,
  tests: SignOnTests,
): SamlAdmin {
  /** Adds the URL where a browser starts the test. */
  const toBody = (test: TestBody): SamlTestBody => ({
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
    startTest(principal) {
      saml.getIssuer(principal);
      return toBody(tests.create(principal, 'saml'));
    },
    getTest: (principal, id) => toBody(tests.get(principal, id)),
  };
}
