import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCertificate } from '../../../../src/identity/saml/metadata/create-certificate.ts';
import { readIdentityProvider } from '../../../../src/identity/saml/metadata/identity-provider.ts';
import { makeFolder } from '../../../store/temporary-home.ts';
import { refusalOf } from '../../account-world.ts';
import { printKey, printMetadata, printService, SIGN_ON_URL, toBase64 } from './documents.ts';

const NOW = new Date('2026-03-01T00:00:00Z');
const BASE = '422 Invalid identity provider metadata: ';
const FORM = 'xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"';

let first = '';
let second = '';

beforeAll(async () => {
  const validity = { count: 365, unit: 'days' } as const;
  [first, second] = (
    await Promise.all(
      ['a.example.org', 'b.example.org'].map((host) => createCertificate(host, validity, NOW)),
    )
  ).map(({ certificate }) => toBase64(certificate)) as [string, string];
});

const read = (xml: string) => readIdentityProvider(xml, NOW);
const refuse = (xml: string) => refusalOf(() => read(xml));
const usual = () => printMetadata({ certificates: [first] });

/** Creates a certificate of this key type with openssl. */
function makeCertificate(...key: string[]): string {
  const folder = makeFolder();
  const file = path.join(folder, 'c.pem');
  const args = ['req', '-x509', '-newkey', ...key, '-nodes', '-subj', '/CN=idp', '-days', '30'];
  execFileSync('openssl', [...args, '-keyout', path.join(folder, 'k.pem'), '-out', file], { stdio: 'pipe' });
  return toBase64(readFileSync(file, 'utf8'));
}

describe('metadata of an identity provider', () => {
  it('contain the provider, its addresses and its certificates', async () => {
    const xml = printMetadata({
      certificates: [first.replace(/.{64}/g, '$&\n      '), second, first],
      roleAttributes: 'WantAuthnRequestsSigned="true"',
      signOn: [
        printService('SingleLogoutService', 'POST', 'https://idp.example.org/slo'),
        printService('SingleSignOnService', 'Artifact', 'http://idp.example.org/artifact'),
        printService('SingleSignOnService', 'POST', 'https://idp.example.org/post'),
        printService('SingleSignOnService', 'Redirect', SIGN_ON_URL),
      ].join(''),
    });
    const provider = await read(
      `\uFEFF<?xml version="1.0" encoding="UTF-16"?>\n<!-- made by hand -->\n${xml}`,
    );
    expect(provider).toMatchObject({
      entityId: 'https://idp.example.org/metadata',
      signOn: { redirect: SIGN_ON_URL, post: 'https://idp.example.org/post' },
      logout: { redirect: null, post: 'https://idp.example.org/slo' },
      wantsSignedRequests: true,
    });
    expect(provider.certificates.map(({ der }) => der)).toEqual([first, second]);
    expect(provider.certificates[0]).toMatchObject({
      fingerprint: expect.stringMatching(/^([\dA-F]{2}:){31}[\dA-F]{2}$/),
      notBefore: '2026-03-01T00:00:00.000Z',
      notAfter: '2027-03-01T00:00:00.000Z',
    });
  });

  it('may omit whether requests are signed', async () => {
    expect((await read(usual())).wantsSignedRequests).toBe(false);
    const wanting = { certificates: [first], roleAttributes: 'WantAuthnRequestsSigned="1"' };
    expect((await read(printMetadata(wanting))).wantsSignedRequests).toBe(true);
  });

  it('may have a key for all uses, and another one for encryption', async () => {
    const keys = printKey(second, ' use="encryption"') + printKey(first, '');
    expect((await read(printMetadata({ keys }))).certificates.map(({ der }) => der)).toEqual([first]);
  });

  it('may contain keys that are too weak or of another type; these are ignored', async () => {
    const weak = [makeCertificate('rsa:1024'), makeCertificate('ec', '-pkeyopt', 'ec_paramgen_curve:P-256')];
    const provider = await read(printMetadata({ certificates: [...weak, first] }));
    expect(provider.certificates.map(({ der }) => der)).toEqual([first]);
    expect(await refuse(printMetadata({ certificates: weak }))).toBe(
      `${BASE}no signing certificate has an RSA key of at least 2048 bits`,
    );
  });

  it('may have one provider in an EntitiesDescriptor', async () => {
    const { entityId } = await read(`<md:EntitiesDescriptor ${FORM}>${usual()}</md:EntitiesDescriptor>`);
    expect(entityId).toBe('https://idp.example.org/metadata');
  });

  it('may expire in the future', async () => {
    const attributes = 'validUntil="2026-03-01T00:00:01Z"';
    await expect(read(printMetadata({ certificates: [first], attributes }))).resolves.toBeDefined();
  });

  it.each<[string, string, () => string]>([
    [
      'more than 1 MB',
      'the document has 10485760 bytes; the limit is 1048576',
      () => 'x'.repeat(10 * 1024 * 1024),
    ],
    ['many tags', 'the document has 10001 tags; the limit is 10000', () => '<'.repeat(10_001)],
    ['a DOCTYPE', 'DOCTYPE and entities are not allowed', () => `<!DOCTYPE md>${usual()}`],
    [
      'a DOCTYPE in lower case',
      'DOCTYPE and entities are not allowed',
      () => `<!doctype md [<!ENTITY a "a">]>${usual()}`,
    ],
    [
      'an entity',
      "the document is not well-formed XML: Entity 'secret' not defined",
      () => printMetadata({ certificates: [first], entityId: '&secret;' }),
    ],
    ['nothing', 'the document is not well-formed XML: ', () => ''],
    [
      'deep nesting',
      'the document is not well-formed XML: Excessive depth in document',
      () => '<a>'.repeat(3_000),
    ],
    ['HTML', 'the document is `html`, not an EntityDescriptor', () => '<html/>'],
    [
      'another namespace',
      'the document is `EntityDescriptor`, not an EntityDescriptor',
      () => '<EntityDescriptor/>',
    ],
    [
      'two providers',
      'there must be exactly one EntityDescriptor, but there are 2',
      () => `<md:EntitiesDescriptor ${FORM}>${usual()}${usual()}</md:EntitiesDescriptor>`,
    ],
    [
      'a provider inside a provider',
      'there must be exactly one EntityDescriptor, but there are 2',
      () => printMetadata({ certificates: [first], before: `<md:Extensions>${usual()}</md:Extensions>` }),
    ],
    [
      'none',
      'there must be exactly one EntityDescriptor, but there are 0',
      () => `<md:EntitiesDescriptor ${FORM}/>`,
    ],
    [
      'no entityID',
      'the entityID must have 1 to 1024 characters',
      () => printMetadata({ certificates: [first], entityId: ' ' }),
    ],
    ['no certificate', 'there is no signing certificate', () => printMetadata()],
    ['invalid base64', 'an X509Certificate cannot be read', () => printMetadata({ certificates: ['?'] })],
    [
      'base64 that is not a certificate',
      'an X509Certificate cannot be read',
      () => printMetadata({ certificates: ['AAAA'] }),
    ],
    [
      'no SingleSignOnService',
      'there is no SingleSignOnService with the binding HTTP-Redirect or HTTP-POST',
      () => printMetadata({ certificates: [first], signOn: '' }),
    ],
    [
      'a service provider',
      'there is no IDPSSODescriptor for SAML 2.0; is this the metadata of a service provider?',
      () => usual().replaceAll('IDPSSODescriptor', 'SPSSODescriptor'),
    ],
    [
      'SAML 1.1',
      'there is no IDPSSODescriptor for SAML 2.0; is this the metadata of a service provider?',
      () => usual().replace('SAML:2.0:protocol', 'SAML:1.1:protocol'),
    ],
    [
      'two roles',
      'there must be exactly one IDPSSODescriptor, but there are 2',
      () => usual().replace(/<md:IDPSSODescriptor[\s\S]*<\/md:IDPSSODescriptor>/, '$&$&'),
    ],
    [
      'an address without TLS',
      'the Location of the SingleSignOnService must be an https URL: `http://idp.example.org`',
      () =>
        printMetadata({
          certificates: [first],
          signOn: printService('SingleSignOnService', 'POST', 'http://idp.example.org'),
        }),
    ],
    [
      'an address with the scheme javascript',
      'the Location of the SingleLogoutService must be an https URL: `javascript:alert(1)`',
      () =>
        printMetadata({
          certificates: [first],
          signOn:
            printService('SingleLogoutService', 'Redirect', 'javascript:alert(1)') +
            printService('SingleSignOnService', 'POST', SIGN_ON_URL),
        }),
    ],
    [
      'an end in the past',
      'it has expired: validUntil is 2026-02-28T23:59:59.000Z',
      () => printMetadata({ certificates: [first], attributes: 'validUntil="2026-02-28T23:59:59Z"' }),
    ],
    [
      'an end of the role in the past',
      'it has expired: validUntil is 2026-03-01T00:00:00.000Z',
      () => printMetadata({ certificates: [first], roleAttributes: 'validUntil="2026-03-01T00:00:00Z"' }),
    ],
    [
      'an end that is not a time',
      'validUntil of the EntityDescriptor is not a time: `tomorrow`',
      () => printMetadata({ certificates: [first], attributes: 'validUntil="tomorrow"' }),
    ],
  ])('are refused with %s', async (_, reason, print) => {
    expect(await refuse(print())).toContain(BASE + reason);
  });
});

describe('metadata in the form of each provider', () => {
  const FEDERATION = 'xmlns:fed="http://docs.oasis-open.org/wsfed/federation/200706"';
  const claim =
    '<auth:ClaimType xmlns:auth="http://docs.oasis-open.org/wsfed/authorization/200706" Uri="http://schemas.xmlsoap.org/claims/Name"><auth:DisplayName>Name</auth:DisplayName></auth:ClaimType>';
  /** The roles of WS-Federation, which no SAML schema defines. */
  const federationRole = (type: string, key: string) =>
    `<md:RoleDescriptor xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="fed:${type}" protocolSupportEnumeration="http://docs.oasis-open.org/wsfed/federation/200706" ${FEDERATION}>${key}<fed:ClaimTypesOffered>${claim}</fed:ClaimTypesOffered></md:RoleDescriptor>`;
  const redirectAndPost = (redirect: string, post: string) =>
    printService('SingleSignOnService', 'Redirect', redirect) +
    printService('SingleSignOnService', 'POST', post);

  it.each<[string, () => string]>([
    [
      'Microsoft Entra ID',
      () => {
        const url = 'https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000/saml2';
        return `<?xml version="1.0" encoding="utf-8"?>${printMetadata({
          entityId: 'https://sts.windows.net/00000000-0000-0000-0000-000000000000/',
          attributes: 'ID="_1"',
          certificates: [first],
          before:
            federationRole('SecurityTokenServiceType', printKey(second)) +
            federationRole('ApplicationServiceType', printKey(second)),
          signOn: printService('SingleLogoutService', 'Redirect', url) + redirectAndPost(url, url),
        })}`;
      },
    ],
    [
      'AD FS',
      () => {
        const url = 'https://adfs.example.org/adfs/ls/';
        return printMetadata({
          entityId: 'http://adfs.example.org/adfs/services/trust',
          attributes: 'ID="_2"',
          keys: printKey(second, ' use="encryption"') + printKey(first),
          before: federationRole('SecurityTokenServiceType', printKey(second)),
          signOn: `${printService('SingleLogoutService', 'POST', url)}<md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>${redirectAndPost(url, url)}<Attribute Name="http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress" FriendlyName="E-Mail" xmlns="urn:oasis:names:tc:SAML:2.0:assertion"/>`,
          after: `<md:SPSSODescriptor WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${printKey(second)}</md:SPSSODescriptor><md:ContactPerson contactType="support"/>`,
        });
      },
    ],
    [
      'Okta',
      () =>
        printMetadata({
          entityId: 'http://www.okta.com/exk1fcia6d6EMsf331d8',
          certificates: [first],
          roleAttributes: 'WantAuthnRequestsSigned="false"',
          signOn: redirectAndPost(
            'https://example.okta.com/app/quern/exk1/sso/saml',
            'https://example.okta.com/app/quern/exk1/sso/saml',
          ),
        }),
    ],
    [
      'Google Workspace',
      () =>
        `<?xml version="1.0" encoding="UTF-8" standalone="no"?>${printMetadata({
          entityId: 'https://accounts.google.com/o/saml2?idpid=C01abc',
          attributes: 'validUntil="2031-01-01T00:00:00.000Z"',
          certificates: [first, second],
          signOn: redirectAndPost(
            'https://accounts.google.com/o/saml2/idp?idpid=C01abc',
            'https://accounts.google.com/o/saml2/idp?idpid=C01abc',
          ),
        })}`,
    ],
    [
      'Keycloak',
      () => {
        const url = 'https://keycloak.example.org/realms/main/protocol/saml';
        return printMetadata({
          entityId: 'https://keycloak.example.org/realms/main',
          keys: `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:KeyName>k1</ds:KeyName><ds:X509Data><ds:X509Certificate>${first}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
          roleAttributes: 'WantAuthnRequestsSigned="true"',
          signOn: `<md:ArtifactResolutionService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="${url}/resolve" index="0"/>${printService('SingleLogoutService', 'Redirect', url)}${redirectAndPost(url, url)}<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="${url}"/>`,
        });
      },
    ],
    [
      'SimpleSAMLphp',
      () => {
        const url = 'https://idp.example.org/simplesaml/module.php/saml/idp/singleSignOnService';
        return printMetadata({
          entityId: 'https://idp.example.org/simplesaml/saml2/idp/metadata.php',
          keys: printKey(first) + printKey(first, ' use="encryption"'),
          signOn: redirectAndPost(url, url),
          after:
            '<md:ContactPerson contactType="technical"><md:GivenName>Administrator</md:GivenName></md:ContactPerson>',
        });
      },
    ],
    [
      'OneLogin, with a default namespace',
      () =>
        printMetadata({ certificates: [first] })
          .replaceAll('<md:', '<')
          .replaceAll('</md:', '</')
          .replace('xmlns:md', 'xmlns'),
    ],
    [
      'Shibboleth, with comments, scopes and an attribute descriptor',
      () =>
        printMetadata({
          before:
            '<!-- made by hand --><md:Extensions><shibmd:Scope xmlns:shibmd="urn:mace:shibboleth:metadata:1.0" regexp="false">example.org</shibmd:Scope></md:Extensions>',
          certificates: [`\n${first}\n`],
          after: `<md:AttributeAuthorityDescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${printKey(second)}</md:AttributeAuthorityDescriptor>`,
        }),
    ],
  ])('are accepted: %s', async (_, print) => {
    const provider = await read(print());
    expect(provider.certificates[0]!.der).toBe(first);
    expect(provider.signOn.redirect).toMatch(/^https:/);
  });
});
