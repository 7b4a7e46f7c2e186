import type { Signing } from '../protocol/identity-provider.ts';

/** The form of the metadata and responses of a family of identity providers, from its documentation. */
export interface Family {
  readonly name: string;
  readonly metadata: MetadataShape;
  readonly answer: AnswerShape;
}

interface MetadataShape {
  readonly entityId: string;
  /** The prefix of the metadata's namespace; empty for the default namespace. */
  readonly prefix?: string;
  readonly entityAttributes?: string;
  readonly roleAttributes?: string;
  /** The use of the signing keys; empty for none. */
  readonly use?: string;
  /** XML before the IDPSSODescriptor; `{p}` is the prefix with its colon. */
  readonly before?: string;
  readonly after?: string;
  /** XML inside the IDPSSODescriptor, before its keys and after its services. */
  readonly first?: string;
  readonly last?: string;
  /** In the order of the services. */
  readonly bindings?: readonly ('Redirect' | 'POST' | 'SOAP')[];
  readonly logout?: readonly ('Redirect' | 'POST' | 'SOAP')[];
  /** Whether certificates have line breaks. */
  readonly isWrapped?: boolean;
  readonly declaration?: string;
  /** A second signing certificate. */
  readonly hasTwo?: boolean;
  /** XML of an element around the document. */
  readonly around?: readonly [string, string];
}

interface AnswerShape {
  /** The prefixes of the namespaces of the protocol and the assertion. */
  readonly prefixes: readonly [string, string];
  readonly signs: 'assertion' | 'response' | 'both';
  readonly signing?: Signing;
  readonly responseAttributes?: string;
  readonly nameIdAttributes?: string;
  readonly dataAttributes?: string;
  /** XML inside the conditions. */
  readonly conditions?: string;
  readonly authnAttributes?: string;
  /** XML inside the AuthnStatement, before its context. */
  readonly authn?: string;
  readonly context?: string;
  /** The attributes of an Attribute element. */
  readonly attributeAttributes?: string;
  readonly valueAttributes?: string;
  /** The form of its groups. */
  readonly groups: 'list' | 'each' | 'single' | 'none';
  readonly groupAttribute?: string;
  readonly hasLines?: boolean;
  readonly declaration?: string;
  readonly issuerAttributes?: string;
}

export const XS =
  'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string"';
export const BASIC = 'NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic"';
export const UNSPECIFIED = 'NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified"';
export const URI = 'NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri"';
export const ENTITY_FORMAT = 'Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity"';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const withPrefixes = (list: string): Signing => ({
  transforms: [
    'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
    `<ds:Transform Algorithm="${EXCLUSIVE}"><ec:InclusiveNamespaces xmlns:ec="${EXCLUSIVE}" PrefixList="${list}"/></ds:Transform>`,
  ],
});
export const FORMATS =
  '<{p}NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</{p}NameIDFormat><{p}NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</{p}NameIDFormat>';
export const ORGANIZATION =
  '<{p}Organization><{p}OrganizationName xml:lang="en">Example</{p}OrganizationName><{p}OrganizationDisplayName xml:lang="en">Example</{p}OrganizationDisplayName><{p}OrganizationURL xml:lang="en">https://example.com/</{p}OrganizationURL></{p}Organization>';
export const CONTACT =
  '<{p}ContactPerson contactType="technical"><{p}GivenName>Administrator</{p}GivenName><{p}EmailAddress>mailto:admin@example.com</{p}EmailAddress></{p}ContactPerson>';
export const FEDERATION =
  '<RoleDescriptor xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:fed="http://docs.oasis-open.org/wsfed/federation/200706" xsi:type="fed:SecurityTokenServiceType" protocolSupportEnumeration="http://docs.oasis-open.org/wsfed/federation/200706"><fed:ClaimTypesOffered><auth:ClaimType xmlns:auth="http://docs.oasis-open.org/wsfed/authorization/200706" Uri="http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name"><auth:DisplayName>Name</auth:DisplayName></auth:ClaimType></fed:ClaimTypesOffered></RoleDescriptor>';
export const MICROSOFT_GROUPS = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups';
export const PASSWORD = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport';
