import { hash, X509Certificate } from 'node:crypto';
import type { XmlElement } from 'libxml2-wasm';
import {
  EMAIL_FORMAT,
  METADATA_NAMESPACE,
  POST_BINDING,
  PROTOCOL,
  REDIRECT_BINDING,
  RSA_SHA256,
  SIGNATURE_NAMESPACE,
} from '../names.ts';
import type { ServiceKey } from './create-certificate.ts';

/** The properties of this instance that identity providers need. */
export interface ServiceProvider {
  readonly entityId: string;
  /** The instance's address, without a slash at its end. */
  readonly baseUrl: string;
  /** PEM; two certificates during a rollover. */
  readonly certificates: readonly string[];
  readonly signsRequests: boolean;
  /** Signs the metadata. */
  readonly key: ServiceKey;
}

/** The URL that identity providers send responses to (docs/reference/saml.md#endpoints). */
export function toCallbackUrl(baseUrl: string): string {
  return `${baseUrl}/api/saml2/callback`;
}

/** The URL that identity providers send users to after sign-out (docs/reference/saml.md#endpoints). */
export function toLogoutUrl(baseUrl: string): string {
  return `${toCallbackUrl(baseUrl)}?client_name=SAML2Client&logoutendpoint=true`;
}

/** The metadata of this instance as signed XML (saml-metadata-2.0, 2.4.4 and 3). */
export async function printServiceProviderMetadata(provider: ServiceProvider): Promise<string> {
  return sign(await print(provider), provider.key);
}

/** The signature comes first, as the schema requires. */
async function sign(xml: string, { certificate, privateKey }: ServiceKey): Promise<string> {
  const { SamlLib } = await import('samlify');
  const signed = SamlLib.constructSAMLSignature({
    rawSamlMessage: xml,
    referenceTagXPath: '/*',
    privateKey,
    signingCert: toBase64(certificate),
    signatureAlgorithm: RSA_SHA256,
    signatureConfig: { prefix: 'ds', location: { reference: '/*', action: 'prepend' } },
    isBase64Output: false,
  });
  return `${signed}\n`;
}

/** Equal metadata has the same ID. */
async function print(provider: ServiceProvider): Promise<string> {
  const { XmlDocument } = await import('libxml2-wasm');
  const document = XmlDocument.create();
  try {
    const root = document.createRoot('EntityDescriptor', METADATA_NAMESPACE, 'md');
    root.addNsDeclaration(SIGNATURE_NAMESPACE, 'ds');
    root.setAttr('entityID', provider.entityId);
    root.setAttr('ID', `_${hash('sha256', JSON.stringify({ ...provider, key: null }))}`);
    addRole(root, provider);
    return document.toString({ format: true });
  } finally {
    document.dispose();
  }
}

/** The schema prescribes the order of the children. */
function addRole(root: XmlElement, { baseUrl, certificates, signsRequests }: ServiceProvider): void {
  const role = addElement(root, 'SPSSODescriptor', {
    AuthnRequestsSigned: String(signsRequests),
    WantAssertionsSigned: 'true',
    protocolSupportEnumeration: PROTOCOL,
  });
  for (const certificate of certificates) addKey(role, certificate);
  addElement(role, 'SingleLogoutService', { Binding: REDIRECT_BINDING, Location: toLogoutUrl(baseUrl) });
  role.addElement('NameIDFormat', 'md').addText(EMAIL_FORMAT);
  addElement(role, 'AssertionConsumerService', {
    Binding: POST_BINDING,
    Location: toCallbackUrl(baseUrl),
    index: '0',
    isDefault: 'true',
  });
}

function addKey(role: XmlElement, certificate: string): void {
  const info = addElement(role, 'KeyDescriptor', { use: 'signing' }).addElement('KeyInfo', 'ds');
  info.addElement('X509Data', 'ds').addElement('X509Certificate', 'ds').addText(toBase64(certificate));
}

function addElement(
  parent: XmlElement,
  name: string,
  attributes: Readonly<Record<string, string>>,
): XmlElement {
  const element = parent.addElement(name, 'md');
  for (const [key, value] of Object.entries(attributes)) element.setAttr(key, value);
  return element;
}

function toBase64(certificate: string): string {
  return new X509Certificate(certificate).raw.toString('base64');
}
