import type { SamlBody } from '../../identity/saml/settings/saml-body.ts';
import type { SamlChange } from '../../identity/saml/settings/saml-service.ts';
import type { TestBody } from '../../identity/sign-on/sign-on-tests.ts';

/** A test sign-in, and where a browser begins it. */
export interface SamlTestBody extends TestBody {
  readonly url: string;
}

/** An account, and what the identity provider calls its user. */
interface SamlLinkBody {
  readonly user_name: string;
  readonly name_id: string;
  readonly issuer: string;
}

/** The settings of SAML for one principal, an administrator (interface 5.2); each method rejects with a ServiceError. */
export interface SamlApi {
  get(): Promise<SamlBody>;
  /** Changes what is said, and leaves the rest. */
  set(change: SamlChange): Promise<SamlBody>;
  delete(): Promise<void>;
  renewCertificate(): Promise<SamlBody>;
  activateCertificate(): Promise<SamlBody>;
  refreshMetadata(): Promise<SamlBody>;
  /** `digest`: of the metadata that wait, as they were looked at. */
  applyMetadata(digest: string): Promise<SamlBody>;
  link(userName: string, nameId: string): Promise<SamlLinkBody>;
  startTest(): Promise<SamlTestBody>;
  getTest(id: string): Promise<SamlTestBody>;
  /** Of ours, as XML. */
  printMetadata(): Promise<string>;
  /** The active one of ours, as PEM. */
  getCertificate(): Promise<string>;
}

export type { SamlBody, SamlChange };
