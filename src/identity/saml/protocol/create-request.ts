import { deflateRawSync } from 'node:zlib';
import { SamlLib } from 'samlify';
import { ASSERTION, EMAIL_FORMAT, POST_BINDING, PROTOCOL, RSA_SHA256 } from '../names.ts';
import type { SamlSession } from './expectations.ts';

/** A message that a browser takes to the identity provider: an address to open, or a form to post. */
export type BrowserMessage =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'post'; readonly url: string; readonly fields: Readonly<Record<string, string>> };

/** The receiver of a message and its binding. */
export interface Destination {
  readonly binding: 'redirect' | 'post';
  readonly url: string;
}

/** The properties that all sent messages have. */
export interface Sender {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The entity ID of this instance. */
  readonly entityId: string;
  /** PEM; null for unsigned messages. */
  readonly key: { readonly certificate: string; readonly privateKey: string } | null;
  readonly to: Destination;
}

const NAMESPACES = `xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}"`;
const HEAD = 'ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}"';
const ISSUER = '<saml:Issuer>{Issuer}</saml:Issuer>';
const LOGIN = `<samlp:AuthnRequest ${NAMESPACES} ${HEAD} ProtocolBinding="${POST_BINDING}" AssertionConsumerServiceURL="{CallbackUrl}">${ISSUER}<samlp:NameIDPolicy Format="${EMAIL_FORMAT}" AllowCreate="true"/></samlp:AuthnRequest>`;
const LOGOUT = `<samlp:LogoutRequest ${NAMESPACES} ${HEAD}>${ISSUER}<saml:NameID Format="${EMAIL_FORMAT}" NameQualifier="{NameQualifier}" SPNameQualifier="{SPNameQualifier}">{NameID}</saml:NameID><samlp:SessionIndex>{SessionIndex}</samlp:SessionIndex></samlp:LogoutRequest>`;

/**
 * Creates a request to sign a user in (docs/reference/saml-sign-in.md#request); the identity provider posts the
 * response to `callbackUrl`.
 */
export function createLoginRequest(sender: Sender, callbackUrl: string): BrowserMessage {
  return send(sender, SamlLib.replaceTagsByValue(LOGIN, { ...toTags(sender), CallbackUrl: callbackUrl }));
}

/** Creates a request to end a session at the identity provider. */
export function createLogoutRequest(sender: Sender, session: SamlSession): BrowserMessage {
  const tags = {
    NameQualifier: session.nameQualifier ?? undefined,
    SPNameQualifier: session.spNameQualifier ?? undefined,
    SessionIndex: session.sessionIndex ?? undefined,
    NameID: session.nameId,
  };
  return send(sender, SamlLib.replaceTagsByValue(LOGOUT, { ...toTags(sender), ...tags }));
}

function toTags({ id, now, entityId, to }: Sender) {
  return { ID: id, IssueInstant: new Date(now).toISOString(), Destination: to.url, Issuer: entityId };
}

function send(sender: Sender, xml: string): BrowserMessage {
  return sender.to.binding === 'redirect' ? redirect(sender, xml) : post(sender, xml);
}

/**
 * The signature is a separate parameter. It covers the parameters as encoded in the address (SAML bindings 3.4.4.1).
 */
function redirect({ key, to }: Sender, xml: string): BrowserMessage {
  const message = `SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`;
  const separator = to.url.includes('?') ? '&' : '?';
  if (key === null) return { kind: 'redirect', url: `${to.url}${separator}${message}` };
  const signed = `${message}&SigAlg=${encodeURIComponent(RSA_SHA256)}`;
  const signature = SamlLib.constructMessageSignature(signed, key.privateKey, undefined, true, RSA_SHA256);
  return {
    kind: 'redirect',
    url: `${to.url}${separator}${signed}&Signature=${encodeURIComponent(String(signature))}`,
  };
}

function post({ key, to }: Sender, xml: string): BrowserMessage {
  const message =
    key === null ? Buffer.from(xml).toString('base64') : sign(xml, key.privateKey, key.certificate);
  return { kind: 'post', url: to.url, fields: { SAMLRequest: message } };
}

function sign(xml: string, privateKey: string, certificate: string): string {
  return SamlLib.constructSAMLSignature({
    rawSamlMessage: xml,
    referenceTagXPath: '/*',
    privateKey,
    // The library expects base64 only.
    signingCert: certificate.replaceAll(/-----[A-Z ]+-----|\s/g, ''),
    signatureAlgorithm: RSA_SHA256,
    signatureConfig: {
      prefix: 'ds',
      location: { reference: "/*/*[local-name(.)='Issuer']", action: 'after' },
    },
  });
}
