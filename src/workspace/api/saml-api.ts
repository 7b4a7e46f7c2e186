import type { Principal } from '../../identity/principal/principal.ts';
import { VALIDITY_UNITS } from '../../identity/saml/metadata/create-certificate.ts';
import { METADATA_FIELDS } from '../../identity/saml/metadata/list-differences.ts';
import type { SamlBody } from '../../identity/saml/settings/saml-body.ts';
import type { SamlChange, SamlService } from '../../identity/saml/settings/saml-service.ts';
import { METADATA_REFRESHES } from '../../identity/saml/settings/settings.ts';
import { CERTIFICATE_STATES } from '../../identity/saml/settings/settings-store.ts';
import { TEST_STATUSES, type TestBody } from '../../identity/sign-on/sign-on-tests.ts';
import type { Bound } from './bound.ts';

/** A test sign-in, and the URL where a browser starts it. */
export interface SamlTestBody extends TestBody {
  readonly url: string;
}

/** An account, and the identity provider's name for its user. */
interface SamlLinkBody {
  readonly user_name: string;
  readonly name_id: string;
  readonly issuer: string;
}

/** The settings of SAML, and further operations of administrators (docs/reference/saml.md). */
export interface SamlAdmin extends SamlService {
  /** Links an account to a NameID of the identity provider. */
  link(principal: Principal, userName: string, nameId: string): SamlLinkBody;
  startTest(principal: Principal): SamlTestBody;
  getTest(principal: Principal, id: string): SamlTestBody;
}

/** The same for one principal, an administrator; each method rejects with a ServiceError. */
export type SamlApi = Omit<Bound<SamlAdmin, 'printMetadata' | 'getCertificate'>, 'getIssuer'>;

export type { SamlBody, SamlChange };
/** The values of enumerations in the requests and responses of SAML. */
export { CERTIFICATE_STATES, METADATA_FIELDS, METADATA_REFRESHES, TEST_STATUSES, VALIDITY_UNITS };
