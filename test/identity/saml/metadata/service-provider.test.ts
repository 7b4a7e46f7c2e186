import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type CertificateValidity,
  createCertificate,
  findCertificateEnd,
  type ServiceKey,
} from '../../../../src/identity/saml/metadata/create-certificate.ts';
import { printServiceProviderMetadata } from '../../../../src/identity/saml/metadata/service-provider.ts';
import { elementAt } from '../../../../src/invariants/must.ts';
import { hasXmlsec, validate, verifySignature } from '../judges.ts';
import { toBase64 } from './documents.ts';

const NOW = new Date('2026-01-31T10:00:00Z');

const openssl = (input: string, ...args: string[]) =>
  execFileSync('openssl', args, { input, encoding: 'utf8' });

describe('a certificate', () => {
  it('can be read by openssl, and matches its key', async () => {
    const { certificate, privateKey } = await createCertificate(
      'quern.example.org',
      { count: 13, unit: 'months' },
      NOW,
    );
    const text = openssl(certificate, 'x509', '-noout', '-text');
    expect(text).toContain('Public-Key: (2048 bit)');
    expect(text).toContain('Signature Algorithm: sha256WithRSAEncryption');
    expect(text).toContain('Subject: CN = quern.example.org');
    expect(text).toMatch(/Not Before: Jan 31 10:00:00 2026 GMT\s+Not After : Feb 28 10:00:00 2027 GMT/);
    expect(openssl(privateKey, 'rsa', '-check', '-noout')).toContain('RSA key ok');
    const parsed = new X509Certificate(certificate);
    expect(parsed.checkPrivateKey(createPrivateKey(privateKey))).toBe(true);
    expect(parsed.verify(parsed.publicKey)).toBe(true);
  });

  it.each<[CertificateValidity, string]>([
    [{ count: 365, unit: 'days' }, '2027-01-31T10:00:00.000Z'],
    [{ count: 1, unit: 'days' }, '2026-02-01T10:00:00.000Z'],
    [{ count: 1, unit: 'months' }, '2026-02-28T10:00:00.000Z'],
    [{ count: 12, unit: 'months' }, '2027-01-31T10:00:00.000Z'],
    [{ count: 3, unit: 'years' }, '2029-01-31T10:00:00.000Z'],
  ])('of %j ends at %s', (validity, end) => {
    expect(findCertificateEnd(NOW, validity).toISOString()).toBe(end);
  });

  it('contains the beginning of a long name', async () => {
    const { certificate } = await createCertificate(
      `${'a'.repeat(100)}.org`,
      { count: 1, unit: 'days' },
      NOW,
    );
    expect(new X509Certificate(certificate).subject).toBe(`CN=${'a'.repeat(64)}`);
  });
});

describe('the metadata of the service provider', () => {
  const makeKeys = () => {
    const validity = { count: 1, unit: 'years' } as const;
    return Promise.all([1, 2].map(() => createCertificate('quern.example.org', validity, NOW)));
  };
  const print = (keys: readonly ServiceKey[]) =>
    printServiceProviderMetadata({
      entityId: 'https://quern.example.org/?a="1"&b=<2>',
      baseUrl: 'https://quern.example.org',
      certificates: keys.map(({ certificate }) => certificate),
      signsRequests: true,
      key: elementAt(keys, 0),
    });

  it('contain both certificates and the callback URL', async () => {
    const keys = await makeKeys();
    const xml = await print(keys);
    validate(xml, 'metadata');
    const [one, two] = keys.map(({ certificate }) => toBase64(certificate));
    const key = (der: string | undefined) =>
      `    <md:KeyDescriptor use="signing">
      <ds:KeyInfo>
        <ds:X509Data>
          <ds:X509Certificate>${der}</ds:X509Certificate>
        </ds:X509Data>
      </ds:KeyInfo>
    </md:KeyDescriptor>
`;
    const unsigned = xml.replace(/<ds:Signature .*<\/ds:Signature>/s, '').replace(/ ID="_[0-9a-f]{64}"/, '');
    expect(unsigned).toBe(`<?xml version="1.0" encoding="utf-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="https://quern.example.org/?a=&quot;1&quot;&amp;b=&lt;2&gt;">
  <md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
${key(one)}${key(two)}    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://quern.example.org/api/saml2/callback?client_name=SAML2Client&amp;logoutendpoint=true"/>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://quern.example.org/api/saml2/callback" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`);
  });

  it.skipIf(!hasXmlsec)('have a signature that xmlsec1 verifies', async () => {
    const keys = await makeKeys();
    const xml = await print(keys);
    const verify = ({ certificate }: ServiceKey, text = xml) =>
      verifySignature(text, certificate, 'urn:oasis:names:tc:SAML:2.0:metadata:EntityDescriptor');
    verify(elementAt(keys, 0));
    expect(() => verify(elementAt(keys, 1))).toThrow();
    expect(() => verify(elementAt(keys, 0), xml.replace('isDefault="true"', 'isDefault="false"'))).toThrow();
  });
});
