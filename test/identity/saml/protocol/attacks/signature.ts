import { createPublicKey } from 'node:crypto';
import { ENVELOPED, EXCLUSIVE, response, signElement } from '../identity-provider.ts';
import { signers } from '../world.ts';
import { type Attack, attack, cutSignature, signed } from './attack.ts';

const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1';
const HMAC = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1';
const WITH_COMMENTS = `${EXCLUSIVE}WithComments`;
const XPATH = `<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>not(ancestor-or-self::*[local-name()='NameID'])</ds:XPath></ds:Transform>`;
const metadata =
  '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ID="_assertion-1" entityID="x"/>';

/** Signatures of another key, or of other content. */
export const SIGNATURE_ATTACKS: readonly Attack[] = [
  attack('no signature', () => response(), ['signatures', 'signature']),
  attack('a foreign key with its certificate', () => signElement(response(), signers.foreign), [
    'key',
    'signature',
  ]),
  attack(
    'a foreign key with the certificate of the provider',
    () => signElement(response(), { ...signers.own, key: signers.foreign.key }),
    ['key', 'signature'],
  ),
  attack(
    'a foreign key without a certificate',
    () => signElement(response(), signers.foreign, { keyInfo: '' }),
    ['key', 'signature'],
  ),
  attack(
    'SHA-1',
    () =>
      signed({}, {}, { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', digest: SHA1, hash: 'sha1' }),
    ['algorithms', 'key', 'digest'],
  ),
  attack('a digest of SHA-1 alone', () => signed({}, {}, { digest: SHA1 }), [
    'algorithms',
    'digest',
    'signature',
  ]),
  attack(
    'HMAC with the public certificate',
    () => signed({}, {}, { algorithm: HMAC, hash: 'sha1', secret: signers.own.certificate }),
    ['algorithms', 'key', 'digest', 'signature'],
  ),
  attack(
    'HMAC with the public key',
    () =>
      signed(
        {},
        {},
        {
          algorithm: HMAC,
          hash: 'sha1',
          secret: createPublicKey(signers.own.key).export({ type: 'spki', format: 'pem' }).toString(),
        },
      ),
    ['algorithms', 'key', 'digest', 'signature'],
  ),
  attack('a tampered NameID', () => signed().replace('ann@', 'admin@'), ['digest', 'signature']),
  attack('a tampered attribute', () => signed().replace('>finance<', '>admins<'), ['digest', 'signature']),
  attack('a tampered time', () => signed().replaceAll('2026-05-04T12:05', '2026-05-04T13:05'), [
    'digest',
    'signature',
  ]),
  attack(
    'a tampered response around a signed assertion, both signed',
    () =>
      signElement(signed(), signers.own, { id: '_response-1' }).replace('<samlp:Status>', '<samlp:Status> '),
    ['digest'],
  ),
  attack('canonicalization with comments', () => signed({}, {}, { canonicalization: WITH_COMMENTS }), [
    'transforms',
  ]),
  attack('a transform with comments', () => signed({}, {}, { transforms: [ENVELOPED, WITH_COMMENTS] }), [
    'transforms',
  ]),
  attack(
    'an extra transform that excludes the NameID',
    () => signed({}, {}, { transforms: [ENVELOPED, XPATH, EXCLUSIVE] }),
    ['transforms', 'signature'],
  ),
  attack('no transform but the first', () => signed({}, {}, { transforms: [ENVELOPED] }), [
    'transforms',
    'signature',
  ]),
  attack('an empty URI', () => signed({}, {}, { uri: '' }), ['reference', 'signature']),
  attack('a URI to another element', () => signed({}, {}, { uri: '#_response-1' }), [
    'reference',
    'signature',
  ]),
  attack('two references', () => {
    const one = signed();
    const reference = /<ds:Reference.*<\/ds:Reference>/.exec(one)?.[0] ?? '';
    return signed({}, {}, { moreReferences: reference });
  }, ['reference']),
  attack('two SignedInfo', () => signed().replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/, '$&$&'), [
    'schema',
    'reference',
    'signature',
  ]),
  attack(
    'a comment in the DigestValue',
    () => signed().replace('<ds:DigestValue>', '<ds:DigestValue><!-- x -->'),
    ['markup'],
  ),
  attack('two signatures in one parent', () => {
    const one = signed();
    return one.replace(cutSignature(one), cutSignature(one).repeat(2));
  }, ['schema', 'signatures', 'digest', 'signature']),
  attack(
    'an object in the signature',
    () => signed({}, {}, { objects: '<ds:Object><x xmlns="urn:x"/></ds:Object>' }),
    ['object'],
  ),
  attack('signed metadata in place of an assertion', () => {
    const placed = response({
      assertion: metadata.replace('/>', '><saml:Issuer></saml:Issuer></md:EntityDescriptor>'),
    });
    return signElement(placed, signers.own);
  }, ['schema', 'assertions', 'signatures', 'signature', 'unreadable']),
  attack('a signed error response with a forged status', () => {
    const code = '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"/>';
    const refused = signElement(
      response({ assertion: '', status: `<samlp:Status>${code}</samlp:Status>` }),
      signers.own,
      { id: '_response-1' },
    );
    return refused.replace(':Responder', ':Success');
  }, ['assertions', 'digest', 'signature', 'unreadable']),
  attack(
    'PSS, which is not an allowed algorithm',
    () => signed({}, {}, { algorithm: 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1' }),
    ['algorithms', 'key', 'signature'],
  ),
];
