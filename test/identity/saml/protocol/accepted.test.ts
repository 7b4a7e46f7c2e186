import { describe, expect, it } from 'vitest';
import { signed } from './attacks/attack.ts';
import {
  at,
  attribute,
  CALLBACK,
  conditions,
  ENVELOPED,
  EXCLUSIVE,
  NAME_ID,
  post,
  REQUEST_ID,
  response,
  signElement,
  subject,
} from './identity-provider.ts';
import { signers, verify } from './world.ts';

const statement = (...attributes: readonly string[]) => ({
  statement: `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`,
});
const EXCLUSIVE_WITH_PREFIXES = `<ds:Transform Algorithm="${EXCLUSIVE}"><ec:InclusiveNamespaces xmlns:ec="${EXCLUSIVE}" PrefixList="xs samlp"/></ds:Transform>`;
const SHA512 = {
  algorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  digest: 'http://www.w3.org/2001/04/xmlenc#sha512',
  hash: 'sha512',
};
const session = (seconds: number) =>
  `<saml:AuthnStatement AuthnInstant="${at(-1)}" SessionNotOnOrAfter="${at(seconds)}"><saml:AuthnContext><saml:AuthnContextClassRef>x</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`;
const confirmed = (end: number) =>
  subject({ data: `NotOnOrAfter="${at(end)}" Recipient="${CALLBACK}" InResponseTo="${REQUEST_ID}"` });

describe('a SAML response is accepted', () => {
  it.each<[string, () => string]>([
    ['with a signed assertion', () => signed()],
    ['signed as a whole', () => signElement(response(), signers.own, { id: '_response-1' })],
    ['signed twice', () => signElement(signed(), signers.own, { id: '_response-1' })],
    ['signed with the second certificate', () => signElement(response(), signers.second)],
    [
      'signed with the second certificate, without a KeyInfo',
      () => signElement(response(), signers.second, { keyInfo: '' }),
    ],
    ['signed with SHA-512', () => signed({}, {}, SHA512)],
    ['with inclusive prefixes', () => signed({}, {}, { transforms: [ENVELOPED, EXCLUSIVE_WITH_PREFIXES] })],
    ['with an XML declaration', () => `<?xml version="1.0" encoding="UTF-8"?>\n${signed()}`],
    ['without an issuer of the response', () => signed({}, { issuer: '' })],
    ['whose confirmation expired 59 s ago', () => signed({ subject: confirmed(-59) })],
    [
      'whose conditions expired 59 s ago',
      () => signed({ conditions: conditions({ times: `NotOnOrAfter="${at(-59)}"` }) }),
    ],
    [
      'whose conditions begin in 59 s',
      () => signed({ conditions: conditions({ times: `NotBefore="${at(59)}" NotOnOrAfter="${at(300)}"` }) }),
    ],
    ['without attributes', () => signed({ statement: '' })],
    ['with an unmapped attribute twice', () => signed(statement(attribute('x', 'a'), attribute('x', 'b')))],
    ['with an attribute `__proto__`', () => signed(statement(attribute('__proto__', 'a')))],
  ])('%s', (_title, xml) => {
    expect(verify(post(xml())).email).toBe('ann@example.com');
  });

  it('with line breaks in its base64', () => {
    const lines = post(signed()).replaceAll(/.{76}/g, '$&\r\n');
    expect(verify(lines).email).toBe('ann@example.com');
  });

  it('with the e-mail address in another case, which stays unchanged', () => {
    const named = subject({ nameId: NAME_ID.replace('ann@', 'Ann@') });
    expect(verify(post(signed({ subject: named }))).email).toBe('Ann@example.com');
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['one attribute with a list', [attribute('groups', 'a', 'b')], ['a', 'b']],
    ['one attribute for each group', [attribute('groups', 'a'), attribute('groups', 'b')], ['a', 'b']],
    ['a single value', [attribute('groups', 'a')], ['a']],
    ['none', [attribute('other', 'a')], []],
    ['the same value twice', [attribute('groups', 'a', 'a')], ['a']],
    ['an attribute name in another case', [attribute('Groups', 'a')], []],
  ])('with groups as %s', (_title, attributes, groups) => {
    expect(verify(post(signed(statement(...attributes)))).groups).toEqual(groups);
  });

  it('and returns the received attributes', () => {
    expect(verify(post(signed({ authn: session(600) })))).toMatchObject({
      assertionId: '_assertion-1',
      inResponseTo: REQUEST_ID,
      userName: 'ann',
      firstName: 'Ann',
      lastName: 'Lee',
      groups: ['staff', 'finance'],
      sessionEndsAt: Date.parse(at(600)),
      session: { nameId: 'ann@example.com', sessionIndex: null },
      expiresAt: Date.parse(at(360)),
    });
  });
});
