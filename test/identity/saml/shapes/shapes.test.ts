import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readIdentityProvider } from '../../../../src/identity/saml/metadata/identity-provider.ts';
import { loadSchemas } from '../../../../src/identity/saml/protocol/schemas.ts';
import { verifyResponse } from '../../../../src/identity/saml/protocol/verify-response.ts';
import {
  at,
  CALLBACK,
  createSigner,
  ENTITY_ID,
  expectFrom,
  NOW,
  post,
  REQUEST_ID,
  signElement,
} from '../protocol/identity-provider.ts';
import { FAMILIES } from './families.ts';
import type { Family } from './family.ts';
import { FURTHER_FAMILIES } from './further-families.ts';

const ALL = [...FAMILIES, ...FURTHER_FAMILIES];
const schemas = loadSchemas(path.resolve(import.meta.dirname, '../../../../schema/saml'));
const [own, second] = [createSigner('idp'), createSigner('idp, second')];
const BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:';
const BINDINGS = { Redirect: `${BINDING}HTTP-Redirect`, POST: `${BINDING}HTTP-POST`, SOAP: `${BINDING}SOAP` };

/** The metadata of a family. */
function printMetadata({ metadata }: Family): string {
  const { prefix = '', use = 'use="signing"', bindings = ['Redirect'], logout = [] } = metadata;
  const p = prefix === '' ? '' : `${prefix}:`;
  const namespace = `xmlns${prefix === '' ? '' : `:${prefix}`}="urn:oasis:names:tc:SAML:2.0:metadata"`;
  const fill = (text = '') => text.replaceAll('{p}', p);
  const wrap = (text: string) => (metadata.isWrapped ? `\n${text.replaceAll(/.{64}/g, '$&\n')}\n` : text);
  const key = (certificate: string) =>
    `<${p}KeyDescriptor ${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${wrap(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></${p}KeyDescriptor>`;
  const keys = (metadata.hasTwo ? [own, second] : [own]).map(({ certificate }) => key(certificate));
  const service = (name: string, binding: keyof typeof BINDINGS) =>
    `<${p}${name} Binding="${BINDINGS[binding]}" Location="https://idp.example.com/${binding}"/>`;
  const role = [
    fill(metadata.first),
    ...keys,
    ...logout.map((binding) => service('SingleLogoutService', binding)),
    ...bindings.map((binding) => service('SingleSignOnService', binding)),
    fill(metadata.last),
  ].join('');
  const [before, after] = metadata.around ?? ['', ''];
  return `${metadata.declaration ?? ''}${before}<${p}EntityDescriptor ${namespace} entityID="${metadata.entityId}" ${metadata.entityAttributes ?? ''}>${fill(metadata.before)}<${p}IDPSSODescriptor ${metadata.roleAttributes ?? ''} protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${role}</${p}IDPSSODescriptor>${fill(metadata.after)}</${p}EntityDescriptor>${after}`;
}

const GROUPS = ['staff', 'finance'];
const groupsOf = ({ answer }: Family) =>
  ({ list: GROUPS, each: GROUPS, single: ['staff'], none: [] })[answer.groups];
const groupNameOf = ({ answer }: Family) => answer.groupAttribute ?? 'groups';

/** A response of a family, signed in its way. */
function printAnswer(family: Family): string {
  const { metadata, answer } = family;
  const [p, a] = answer.prefixes.map((prefix) => (prefix === '' ? '' : `${prefix}:`));
  const declare = (prefix: string | undefined, uri: string) =>
    `xmlns${prefix ? `:${prefix.slice(0, -1)}` : ''}="${uri}"`;
  const line = answer.hasLines ? '\n  ' : '';
  const fill = (text = '') => text.replaceAll('{a}', a ?? '').replaceAll('{later}', at(36_000));
  const attribute = (name: string, values: readonly string[]) =>
    `<${a}Attribute Name="${name}" ${answer.attributeAttributes ?? ''}>${values.map((value) => `<${a}AttributeValue ${answer.valueAttributes ?? ''}>${value}</${a}AttributeValue>`).join('')}</${a}Attribute>`;
  const groups = groupsOf(family);
  const isEach = answer.groups === 'each';
  const groupAttributes = isEach ? groups.map((group) => [group]) : groups.length === 0 ? [] : [groups];
  const attributes = [
    attribute('username', ['ann']),
    attribute('firstName', ['Ann']),
    attribute('lastName', ['Lee']),
    ...groupAttributes.map((values) => attribute(groupNameOf(family), values)),
  ];
  const assertionNamespace = 'urn:oasis:names:tc:SAML:2.0:assertion';
  const issuer = (tag: string | undefined, namespace = '') =>
    `<${tag}Issuer ${namespace} ${answer.issuerAttributes ?? ''}>${metadata.entityId}</${tag}Issuer>`;
  const parts = [
    issuer(a),
    `<${a}Subject><${a}NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress" ${answer.nameIdAttributes ?? ''}>ann@example.com</${a}NameID><${a}SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><${a}SubjectConfirmationData NotOnOrAfter="${at(300)}" Recipient="${CALLBACK}" InResponseTo="${REQUEST_ID}" ${answer.dataAttributes ?? ''}/></${a}SubjectConfirmation></${a}Subject>`,
    `<${a}Conditions NotBefore="${at(-5)}" NotOnOrAfter="${at(300)}"><${a}AudienceRestriction><${a}Audience>${ENTITY_ID}</${a}Audience></${a}AudienceRestriction>${fill(answer.conditions)}</${a}Conditions>`,
    `<${a}AuthnStatement AuthnInstant="${at(-1)}" SessionIndex="_s" ${fill(answer.authnAttributes)}>${fill(answer.authn)}<${a}AuthnContext><${a}AuthnContextClassRef>${answer.context ?? 'urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified'}</${a}AuthnContextClassRef></${a}AuthnContext></${a}AuthnStatement>`,
    `<${a}AttributeStatement>${attributes.join(line)}</${a}AttributeStatement>`,
  ];
  const assertion = `<${a}Assertion ${declare(a, assertionNamespace)} ID="_assertion-1" Version="2.0" IssueInstant="${at(-1)}">${parts.map((part) => line + part).join('')}</${a}Assertion>`;
  const xml = `${answer.declaration ?? ''}<${p}Response ${declare(p, 'urn:oasis:names:tc:SAML:2.0:protocol')} ID="_response-1" Version="2.0" IssueInstant="${at(-1)}" Destination="${CALLBACK}" InResponseTo="${REQUEST_ID}" ${answer.responseAttributes ?? ''}>${issuer('x:', `xmlns:x="${assertionNamespace}"`)}${line}<${p}Status><${p}StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></${p}Status>${assertion}${line}</${p}Response>`;
  const { signing = {} } = answer;
  const inner = answer.signs === 'response' ? xml : signElement(xml, own, signing);
  return answer.signs === 'assertion' ? inner : signElement(inner, own, { ...signing, id: '_response-1' });
}

describe('the metadata of an identity provider', () => {
  it.each(ALL)('are accepted: $name', async (family) => {
    const provider = await readIdentityProvider(printMetadata(family), new Date(NOW));
    const { bindings = ['Redirect'], logout = [], hasTwo = false } = family.metadata;
    const where = (list: readonly string[], binding: string) =>
      list.includes(binding) ? `https://idp.example.com/${binding}` : null;
    expect(provider).toMatchObject({
      entityId: family.metadata.entityId,
      signOn: { redirect: where(bindings, 'Redirect'), post: where(bindings, 'POST') },
      logout: { redirect: where(logout, 'Redirect'), post: where(logout, 'POST') },
      wantsSignedRequests: /"(true|1)"/.test(family.metadata.roleAttributes ?? ''),
    });
    const expected = (hasTwo ? [own, second] : [own]).map(({ certificate }) => certificate);
    expect(provider.certificates.map(({ der }) => der)).toEqual(expected);
  });
});

describe('a response of an identity provider', () => {
  it.each(ALL)('is accepted: $name', (family) => {
    const expected = {
      ...expectFrom(own, second),
      identityProvider: {
        entityId: family.metadata.entityId,
        certificates: [second.certificate, own.certificate],
      },
      attributes: {
        userName: 'username',
        firstName: 'firstName',
        lastName: 'lastName',
        groups: groupNameOf(family),
      },
    };
    expect(verifyResponse(post(printAnswer(family)), expected, { schemas })).toMatchObject({
      email: 'ann@example.com',
      userName: 'ann',
      lastName: 'Lee',
      groups: groupsOf(family),
      session: { sessionIndex: '_s' },
    });
  });

  it('is tested in forty forms, with its metadata', () => {
    expect(2 * ALL.length).toBeGreaterThanOrEqual(40);
  });
});
