import type { Principal } from '../../identity/principal/principal.ts';
import type { TestBody } from '../../identity/sign-on/sign-on-tests.ts';
import type { SamlApi, SamlTestBody } from '../api/saml-api.ts';
import type { AccountServices } from '../services/services.ts';

/** The settings of SAML for one principal. */
export function bindSaml(services: AccountServices, principal: Principal): SamlApi {
  const { saml, signOnTests: tests, linkUser } = services;
  /** Where a browser begins the test. */
  const toBody = (test: TestBody): SamlTestBody => ({
    ...test,
    url: `${saml.findBaseUrl() ?? ''}/api/auth/login/saml2?test=${test.id}`,
  });
  return {
    get: async () => saml.get(principal),
    set: (change) => saml.set(principal, change),
    delete: async () => saml.delete(principal),
    renewCertificate: () => saml.renewCertificate(principal),
    activateCertificate: async () => saml.activateCertificate(principal),
    refreshMetadata: () => saml.refreshMetadata(principal),
    applyMetadata: async (digest) => saml.applyMetadata(principal, digest),
    link: async (userName, nameId) => {
      const issuer = saml.getIssuer(principal);
      linkUser(principal, userName, { provider: 'saml', issuer, subject: nameId });
      return { user_name: userName, name_id: nameId, issuer };
    },
    startTest: async () => {
      saml.getIssuer(principal);
      return toBody(tests.create(principal, 'saml'));
    },
    getTest: async (id) => toBody(tests.get(principal, id)),
    printMetadata: () => saml.printMetadata(),
    getCertificate: async () => saml.getCertificate(),
  };
}
