import { createPublicKey, sign, verify } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SamlError } from '../../../../src/identity/saml/protocol/checks.ts';
import {
  createLoginRequest,
  createLogoutRequest,
} from '../../../../src/identity/saml/protocol/create-request.ts';
import { verifyLogout } from '../../../../src/identity/saml/protocol/verify-logout.ts';
import { hasXmlsec, validate, verifySignature } from '../judges.ts';
import { CALLBACK, ENTITY_ID, ISSUER, NOW, RSA_SHA256, type Signer } from './identity-provider.ts';
import { signers } from './world.ts';

const LOGOUT_URL = `${CALLBACK}?client_name=SAML2Client&logoutendpoint=true`;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const certificates = [signers.own.certificate, signers.second.certificate];
const expected = { logoutUrl: LOGOUT_URL, identityProvider: { entityId: ISSUER, certificates } };
const OWN = 'client_name=SAML2Client&logoutendpoint=true';

function answer({
  root = 'LogoutResponse',
  issuer = ISSUER,
  status = SUCCESS,
  destination = LOGOUT_URL,
} = {}): string {
  const url = destination.replaceAll('&', '&amp;');
  return `<samlp:${root} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a" Version="2.0" IssueInstant="2026-05-04T12:00:00Z" Destination="${url}" InResponseTo="_out-1"><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status></samlp:${root}>`;
}

function query(xml: string, signer: Signer = signers.own, relayState = '', algorithm = RSA_SHA256): string {
  const message = `SAMLResponse=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`;
  const state = relayState === '' ? '' : `&RelayState=${encodeURIComponent(relayState)}`;
  const signed = `${message}${state}&SigAlg=${encodeURIComponent(algorithm)}`;
  const signature = sign('sha256', Buffer.from(signed), signer.key).toString('base64');
  return `${signed}&Signature=${encodeURIComponent(signature)}`;
}

function checkOf(text: string): string | null {
  try {
    verifyLogout(text, expected);
    return null;
  } catch (error) {
    if (error instanceof SamlError) return error.check;
    throw error;
  }
}

describe('a response to a sign-out', () => {
  it.each([
    ['unchanged', query(answer())],
    ['with the parameters of Quern first', `${OWN}&${query(answer())}`],
    ['with a RelayState', query(answer(), signers.own, 'https://elsewhere.example.org')],
    [
      'with its parameters in another order',
      query(answer(), signers.own, 'x').split('&').reverse().join('&'),
    ],
    ['signed with the second certificate', query(answer(), signers.second)],
  ])('is accepted %s', (_title, text) => {
    expect(verifyLogout(text, expected)).toEqual({ inResponseTo: '_out-1', isDone: true, status: SUCCESS });
  });

  it('reports when the provider has not ended all sessions', () => {
    const partial = answer()
      .replace('"/></samlp:Status>', '"/></samlp:Status>')
      .replace(SUCCESS, `${SUCCESS}x`);
    expect(verifyLogout(query(partial), expected).isDone).toBe(false);
  });

  it.each([
    ['unsigned', query(answer()).replace(/&SigAlg.*/, ''), 'logout-parameters'],
    ['without a signature', query(answer()).replace(/&Signature.*/, ''), 'logout-parameters'],
    ['with a foreign key', query(answer(), signers.foreign), 'logout-signature'],
    [
      'with swapped content',
      query(answer()).replace(/SAMLResponse=[^&]*/, query(answer({ status: 'x' })).split('&')[0] ?? ''),
      'logout-signature',
    ],
    [
      'with a RelayState that differs from the signed one',
      query(answer(), signers.own, 'x').replace('RelayState=x', 'RelayState=y'),
      'logout-signature',
    ],
    ['with an added RelayState', `${query(answer())}&RelayState=x`, 'logout-signature'],
    ['with a parameter twice', `${query(answer())}&${query(answer()).split('&')[0]}`, 'logout-parameters'],
    [
      'with SHA-1',
      query(answer(), signers.own, '', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'),
      'logout-algorithm',
    ],
    ['of another provider', query(answer({ issuer: 'https://evil.example.com' })), 'logout-issuer'],
    [
      'for another service',
      query(answer({ destination: 'https://other.example.org' })),
      'logout-destination',
    ],
    ['that is a request', query(answer({ root: 'LogoutRequest' })), 'logout-root'],
    ['that is a sign-in', query(answer({ root: 'Response' })), 'logout-root'],
    ['with a DOCTYPE', query(`<!DOCTYPE x>${answer()}`), 'logout-xml'],
    ['that is not XML', query('hello'), 'logout-xml'],
    ['that inflates without a limit', query('a'.repeat(10_000_000)), 'logout-xml'],
    [
      'that is not percent-encoded',
      query(answer()).replace('Signature=', 'Signature=%'),
      'logout-parameters',
    ],
  ])('is refused %s', (_title, text, check) => {
    expect(checkOf(text)).toBe(check);
  });
});

const sender = {
  id: '_request-1',
  now: NOW,
  entityId: ENTITY_ID,
  key: {
    certificate: toPem(signers.own.certificate),
    privateKey: signers.own.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  },
};
const redirect = { binding: 'redirect', url: 'https://idp.example.com/sso?tenant=a' } as const;
const session = {
  nameId: `a&<"'@example.com`,
  nameQualifier: null,
  spNameQualifier: 'q',
  sessionIndex: '_s',
};

function toPem(certificate: string): string {
  return `-----BEGIN CERTIFICATE-----\n${certificate.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

describe('a request to an identity provider', () => {
  it('is a redirect with a signature over its parameters', () => {
    const { url } = createLoginRequest({ ...sender, to: redirect }, CALLBACK);
    expect(url.startsWith(`${redirect.url}&SAMLRequest=`)).toBe(true);
    const query = new URL(url).searchParams;
    const xml = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString();
    expect(xml).toContain(`AssertionConsumerServiceURL="${CALLBACK}"`);
    expect(xml).toContain('IssueInstant="2026-05-04T12:00:00.000Z"');
    validate(xml, 'protocol');
    const [, signed = ''] = /(SAMLRequest=.*)&Signature=/.exec(url) ?? [];
    const signature = Buffer.from(query.get('Signature') ?? '', 'base64');
    expect(verify('sha256', Buffer.from(signed), createPublicKey(signers.own.key), signature)).toBe(true);
    expect(query.get('SigAlg')).toBe(RSA_SHA256);
  });

  it('is not signed without a key', () => {
    const { url } = createLoginRequest({ ...sender, key: null, to: redirect }, CALLBACK);
    expect([...new URL(url).searchParams.keys()]).toEqual(['tenant', 'SAMLRequest']);
  });

  it('is a form with a signed message that the schemas accept', () => {
    const message = createLoginRequest({ ...sender, to: { binding: 'post', url: redirect.url } }, CALLBACK);
    expect(message.kind).toBe('post');
    const { SAMLRequest = '' } = 'fields' in message ? message.fields : {};
    const xml = Buffer.from(SAMLRequest, 'base64').toString();
    expect(xml).toContain('rsa-sha256');
    validate(xml, 'protocol');
  });

  it.skipIf(!hasXmlsec)('is a form with a signature that xmlsec1 verifies', () => {
    const message = createLoginRequest({ ...sender, to: { binding: 'post', url: redirect.url } }, CALLBACK);
    const { SAMLRequest = '' } = 'fields' in message ? message.fields : {};
    const xml = Buffer.from(SAMLRequest, 'base64').toString();
    const verifyWith = ({ certificate }: Signer) =>
      verifySignature(xml, toPem(certificate), 'urn:oasis:names:tc:SAML:2.0:protocol:AuthnRequest');
    verifyWith(signers.own);
    expect(() => verifyWith(signers.foreign)).toThrow();
  });

  it('to sign out contains the escaped user name and session', () => {
    const { url } = createLogoutRequest({ ...sender, to: redirect }, session);
    const xml = inflateRawSync(
      Buffer.from(new URL(url).searchParams.get('SAMLRequest') ?? '', 'base64'),
    ).toString();
    expect(xml).toContain('SPNameQualifier="q">a&amp;&lt;&quot;&apos;@example.com</saml:NameID>');
    expect(xml).toContain('<samlp:SessionIndex>_s</samlp:SessionIndex>');
    expect(xml).not.toContain(' NameQualifier');
    validate(xml, 'protocol');
  });
});
